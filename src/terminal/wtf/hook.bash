# Open Interpreter: remembers the last command that failed, for wtf. Nothing is run again, and nothing leaves this machine until you
# type wtf. In ~/.bashrc: eval "$(interpreter hook bash)"
if [[ $- == *i* && -z ${__interpreter_record-} ]]; then
  __interpreter_record=@folder@/$$
  __interpreter_next=$__interpreter_record.next
  (umask 077 && : >|"$__interpreter_record" && : >|"$__interpreter_next")
  export INTERPRETER_SHELL_RECORD=$__interpreter_record
  __interpreter_ran=1 __interpreter_number= __interpreter_line= __interpreter_nothing=

  # At the prompt, with builtins alone. A command that is not in the history (it began with a space) is not known to us: the number
  # of the last one is then the same as before.
  __interpreter_remember() {
    local code=$? number=
    ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && number='\!' && number=${number@P}
    # With and without a first entry the number is 1.
    if [[ $number == 1 && -z $__interpreter_number ]]; then
      HISTTIMEFORMAT= history 1 >|"$__interpreter_record"
      [[ -s $__interpreter_record ]] || number=0
      : >|"$__interpreter_record"
    fi
    if ((__interpreter_ran && code != 0 && code != 130 && code != 148)) && [[ -o history ]]; then
      {
        printf '%s\0' "$$" "$code" "$PWD"
        if [[ -n $number && $number == "$__interpreter_number" ]]; then printf 'unsure\0'; else printf 'sure\0'; fi
        HISTTIMEFORMAT= history 1
      } >|"$__interpreter_record" 2>/dev/null
    fi
    __interpreter_number=$number
    ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && __interpreter_ran=0
    return "$code"
  }
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    PROMPT_COMMAND=(__interpreter_remember "${PROMPT_COMMAND[@]}")
  else
    PROMPT_COMMAND="__interpreter_remember${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
  fi
  # Shows nothing, and notes that a command was given: an empty line is none.
  ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && PS0=${PS0-}'${__interpreter_nothing:$((__interpreter_ran = 1)):0}'

  # What wtf suggests comes to the prompt: into the history, and onto the line where the terminal answers.
  __interpreter_put() {
    READLINE_LINE=$__interpreter_line READLINE_POINT=${#__interpreter_line}
  }
  wtf() {
    INTERPRETER_WTF_SHELL=$$ INTERPRETER_WTF_NEXT=$__interpreter_next command interpreter wtf "$@"
    local code=$?
    __interpreter_ran=0
    if [[ -s $__interpreter_next ]]; then
      IFS= read -r -d '' __interpreter_line <"$__interpreter_next"
      : >|"$__interpreter_next"
      history -s -- "$__interpreter_line"
      bind -x '"\e[0n": __interpreter_put' 2>/dev/null && printf '\e[5n'
    fi
    return "$code"
  }
fi
