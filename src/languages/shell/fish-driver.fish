# Runs blocks in an interactive fish and tells the host what happens.
#
# The host types one line a block: `_oi_begin ID; builtin source FILE …; _oi_done`. It stands at the top level, because what a
# function sources would leave its variables in that function. An interrupt takes the line away before it is done, so the end
# of a block is reported when fish comes back to its prompt. Descriptor 4 carries events, 6 is the stdout of blocks; marks are
# those of every driver.

set -g _oi_nonce $_OI_NONCE
set -g _oi_folder $_OI_FOLDER
set -e _OI_NONCE
set -e _OI_FOLDER
set -g _oi_marks 0
set -g _oi_id
set -g _oi_last 0

# Programs stay in fish's own process group, so that all of them can be stopped at once.
status job-control none

# Nobody looks at the prompt, and nothing may happen there but what the host types.
set -g fish_greeting
set -g fish_handle_reflow 0
set -g fish_autosuggestion_enabled 0
set -g fish_key_bindings _oi_keys
function _oi_keys
    bind --erase --all
    bind '' self-insert
    bind \r execute
    bind \n execute
    bind \cu kill-whole-line
end
function fish_prompt
end
function fish_right_prompt
end
function fish_title
end

function _oi_begin
    set -g _oi_id $argv[1]
    set -g _oi_done
    builtin printf '{"op":"line","line":0}\n' >&4
    return $_oi_last
end

function _oi_done
    set -g _oi_done $argv[1]
end

function _oi_end --on-event fish_prompt
    test -n "$_oi_id"; or return
    set -l id $_oi_id
    set -g _oi_id
    set -l result ok
    if test -z "$_oi_done"
        set result interrupted
        set -g _oi_last 130
    else
        set -g _oi_last $_oi_done
        test $_oi_last -eq 0; or set result error
    end
    set -g _oi_marks (math $_oi_marks + 1)
    builtin printf '\036%s:%d\036' $_oi_nonce $_oi_marks >&6
    builtin printf '\036%s:%d\036' $_oi_nonce $_oi_marks >&2
    builtin printf '{"op":"end","id":%d,"status":"%s","exitCode":%d,"mark":%d}\n' $id $result $_oi_last $_oi_marks >&4
end

function _oi_ready --on-event fish_prompt
    functions --erase _oi_ready
    builtin printf '{"op":"ready","version":"%s"}\n' $version >&4
end
