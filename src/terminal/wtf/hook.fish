# Open Interpreter: remembers the last command that failed, for wtf. Nothing is run again, and nothing leaves this machine until you
# type wtf. In ~/.config/fish/config.fish: interpreter hook fish | source
if status is-interactive; and not set -q __interpreter_record
    set -g __interpreter_record @folder@/$fish_pid
    set -g __interpreter_next $__interpreter_record.next
    begin
        set -l before (umask)
        umask 077
        printf '' >$__interpreter_record
        printf '' >$__interpreter_next
        umask $before
    end
    set -gx INTERPRETER_SHELL_RECORD $__interpreter_record

    # After each command, with builtins alone. A command that the history is not to have is not remembered here either.
    function __interpreter_remember --on-event fish_postexec
        set -l code $status
        contains -- $code 0 130 148; and return
        string match -q -r '^\s|^wtf(\s|$)' -- $argv[1]; and return
        printf '%s\0' $fish_pid $code $PWD sure $argv[1] >$__interpreter_record 2>/dev/null
    end

    # What wtf suggests comes to the prompt, for you to change and to send.
    function wtf
        INTERPRETER_WTF_SHELL=$fish_pid INTERPRETER_WTF_NEXT=$__interpreter_next command interpreter wtf $argv
        set -l code $status
        if test -s $__interpreter_next
            commandline -r -- (string collect <$__interpreter_next)
            printf '' >$__interpreter_next
        end
        return $code
    end
end
