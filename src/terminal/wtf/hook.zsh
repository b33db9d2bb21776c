# Open Interpreter: remembers the last command that failed, for wtf. Nothing is run again, and nothing leaves this machine until you
# type wtf. In ~/.zshrc: eval "$(interpreter hook zsh)"
if [[ -o interactive && -z ${__interpreter_record-} ]]; then
  typeset -g __interpreter_record=@folder@/$$ __interpreter_line=
  typeset -g __interpreter_next=$__interpreter_record.next
  (umask 077 && : >|$__interpreter_record && : >|$__interpreter_next)
  export INTERPRETER_SHELL_RECORD=$__interpreter_record

  __interpreter_start() {
    __interpreter_line=$1
  }
  # At the prompt, with builtins alone. A command that the history is not to have is not remembered here either.
  __interpreter_remember() {
    local code=$?
    emulate -L zsh
    if [[ -n $__interpreter_line && $code != (0|130|148) ]]; then
      if ! [[ $options[histignorespace] == on && $__interpreter_line == ' '* ]]; then
        printf '%s\0' $$ $code $PWD sure $__interpreter_line >|$__interpreter_record 2>/dev/null
      fi
    fi
    __interpreter_line=
    return $code
  }
  zmodload zsh/parameter
  typeset -ga preexec_functions precmd_functions
  preexec_functions=(__interpreter_start $preexec_functions)
  precmd_functions=(__interpreter_remember $precmd_functions)

  # What wtf suggests comes to the prompt, for you to change and to send.
  wtf() {
    INTERPRETER_WTF_SHELL=$$ INTERPRETER_WTF_NEXT=$__interpreter_next command interpreter wtf "$@"
    local code=$?
    __interpreter_line=
    if [[ -s $__interpreter_next ]]; then
      print -z -r -- "$(<$__interpreter_next)"
      : >|$__interpreter_next
    fi
    return $code
  }
fi
