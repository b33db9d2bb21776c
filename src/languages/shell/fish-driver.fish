# Runs blocks in an interactive fish and tells the host what happens.
#
# The host types one line a block: `_oi_begin ID; builtin source FILE …; _oi_done $status`. It stands at the top level, because
# what a function sources would leave its variables in that function. An interrupt takes the rest of the line away, so the end
# of a block is reported when fish comes back to its prompt. Descriptor 4 carries events, 6 is the stdout of blocks; the marks
# are those of every driver, and one more on the terminal tells what programs say there from what fish draws.

set -g _oi_nonce $_OI_NONCE
set -g _oi_folder $_OI_FOLDER
set -g _oi_term $_OI_TERM
set -e _OI_NONCE
set -e _OI_FOLDER
set -e _OI_TERM
set -g _oi_marks 0
set -g _oi_id
set -g _oi_status
set -g _oi_last 0

# Programs stay in fish's own process group, so that all of them can be stopped at once.
status job-control none

# Nobody looks at the prompt, and nothing may happen there but what the host types.
set -g fish_greeting
set -g fish_handle_reflow 0
set -g fish_autosuggestion_enabled 0
function _oi_keys
    bind --erase --all --preset
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
    set -g _oi_status
    builtin printf '\036%s<\036' $_oi_nonce
    # A line that does not exist: the block has begun, and from now on an interrupt is for it.
    builtin printf '{"op":"line","line":0}\n' >&4
    return $_oi_last
end

function _oi_done
    set -g _oi_status $argv[1]
    builtin printf '\036%s>\036' $_oi_nonce
end

function _oi_end --on-event fish_prompt
    builtin test -n "$_oi_id"; or return
    set -l id $_oi_id
    set -g _oi_id
    set -l result ok
    if builtin test -z "$_oi_status"
        set result interrupted
        set -g _oi_last 130
        builtin printf '\036%s>\036' $_oi_nonce
    else
        set -g _oi_last $_oi_status
        builtin test $_oi_last -eq 0; or set result error
    end
    set -g _oi_marks (builtin math $_oi_marks + 1)
    builtin printf '\036%s:%d\036' $_oi_nonce $_oi_marks >&6
    builtin printf '\036%s:%d\036' $_oi_nonce $_oi_marks >&2
    builtin printf '{"op":"end","id":%d,"status":"%s","exitCode":%d,"mark":%d}\n' $id $result $_oi_last $_oi_marks >&4
end

function _oi_ready --on-event fish_prompt
    functions --erase _oi_ready
    _oi_keys
    functions --erase _oi_keys
    builtin printf '{"op":"ready","version":"%s"}\n' $version >&4
end
