# Runs blocks of bash in one long-lived shell and tells the host what happens.
#
# Comes in with: 3 commands, 4 events, 5 answers, 6 a lifeline that closes when the host is gone. A command is one line,
# an event one JSON object. An event that must keep its place in the output carries a mark, and the same mark is written
# to stdout and stderr first. Written for bash 3.2 and newer; also read by a bash that is called `sh`.

# Our descriptors move out of the way of scripts, and children do not get them: bash closes on exec the copies it keeps
# while a redirection lasts, and a duplicate of such a copy is closed too. That copy has the first free number from 10 on.
exec 7>&1 8>&2 2>/dev/null
_oi_free=10
while true >&$_oi_free; do _oi_free=$((_oi_free + 1)); done
{ exec 60<&$_oi_free; } 3<&-
{ exec 61>&$_oi_free; } 4>&-
{ exec 62>&$_oi_free; } 7>&-
{ exec 63>&$_oi_free; } 8>&-
{ exec 64<&$_oi_free; } 5<&-
{ exec 65<&$_oi_free; } 6<&-
exec 2>&8 3<&- 4>&- 5<&- 6<&- 7>&- 8>&-
unset _oi_free

# A shell that takes over from one that left finds its state in a file. Aliases stay out of our own functions.
builtin trap '' INT
if [[ -n ${_OI_BASH_ENV+set} ]]; then export BASH_ENV=$_OI_BASH_ENV; fi
unset _OI_BASH_ENV
shopt -s expand_aliases
_oi_flags='' _oi_last=0 _oi_exit_trap=''
IFS=' ' builtin read -r -u 60 _oi_nonce _oi_kind _oi_dir || exit 0
set -- "$_oi_nonce" "$_oi_dir"
# shellcheck disable=SC1091
if [[ $_oi_kind == restore ]]; then . "$_oi_dir/state" >/dev/null 2>&1; fi
_oi_nonce=$1 _oi_dir=$2 _oi_id='' _oi_kind='' _oi_block='' _oi_debug_on='' _oi_depth=${#BASH_SOURCE[@]}
_oi_most=500 _oi_marks=0 _oi_fired=(0) _oi_shown=(0) _oi_stop=('')
builtin shopt -q expand_aliases && set -- aliases || set --
builtin shopt -u expand_aliases

# --- running blocks ----------------------------------------------------------------------------------------------

# Called between blocks with the status and the options the last one left: reports its end, waits for the next one.
_oi_next() {
  builtin set +aeuxTE # options that would disturb our own commands
  builtin trap '' INT
  if [[ -n $_oi_id ]]; then _oi_end "$1" "$2"; fi
  if ! IFS=' ' builtin read -r -u 60 _oi_id _oi_kind _oi_block; then
    builtin trap - EXIT
    builtin exit 0
  fi
  _oi_fired=(0) _oi_shown=(0) _oi_stop=('') _oi_debug_on=
  # A block that sets traps may replace the one that keeps the state: keep it now.
  if [[ $_oi_kind == *t* ]]; then _oi_dump "$_oi_dir/before"; fi
  # The block may be taken back.
  if [[ $_oi_kind == *h* ]]; then
    builtin jobs -p >|"$_oi_dir/jobs"
    _oi_dump "$_oi_dir/held"
  fi
  builtin trap '{ _oi_stop[1]=$? _oi_stop[2]=$-; builtin trap - DEBUG; _oi_leave; } 2>/dev/null' EXIT
  if ((BASH_VERSINFO[0] >= 5)); then
    # Leaves the innermost function or file at once; the DEBUG trap then leaves each one around it.
    builtin trap '{ builtin trap - DEBUG; _oi_stop[0]=-$-; builtin set +exE; builtin shopt -s extdebug; } 2>/dev/null
      builtin trap "$_oi_debug_trap" DEBUG; builtin return 130' INT
  else
    builtin trap 'builtin exit 130' INT
  fi
  if [[ $_oi_kind == *l* || $_oi_flags == *x* ]]; then _oi_debug_on=1; fi
  # With functrace the DEBUG trap reaches into the block; its first call there turns that off again, and a trace on.
  if [[ -n $_oi_debug_on ]]; then builtin set -T"${_oi_flags//x/}"; elif [[ -n $_oi_flags ]]; then builtin set -"$_oi_flags"; fi
}

_oi_end() {
  local result=ok
  _oi_last=$1
  if [[ -n ${_oi_stop[0]} ]]; then
    result=interrupted _oi_last=130
    _oi_keep_flags "${_oi_stop[0]}"
    builtin jobs >/dev/null # forgets the command that was stopped
  else
    if ((_oi_last != 0)); then result=error; fi
    _oi_keep_flags "$2"
  fi
  if [[ $_oi_kind == *t* ]]; then _oi_adopt_exit_trap; fi
  _oi_mark
  builtin printf '{"op":"end","id":%d,"status":"%s","exitCode":%d,"mark":%d}\n' \
    "$_oi_id" "$result" "$_oi_last" "$_oi_marks" >&61
  _oi_id=
}

# Marks are counted in a file, because a subshell may write one too.
_oi_mark() {
  IFS= builtin read -r _oi_marks <"$_oi_dir/marks"
  _oi_marks=$((_oi_marks + 1))
  builtin printf '%d\n' "$_oi_marks" >|"$_oi_dir/marks"
  builtin printf '\036%s:%d\036' "$_oi_nonce" "$_oi_marks" >&62
  builtin printf '\036%s:%d\036' "$_oi_nonce" "$_oi_marks" >&63
}

# Remembers the options the next block goes on with. If our DEBUG trap was not called inside, none has changed.
_oi_keep_flags() {
  if [[ -z $_oi_debug_on || ${_oi_fired[0]} -gt 0 ]]; then _oi_flags=${1//[!aeuxTE]/}; fi
}

# Before every command of a block: says which line runs, until there were so many that a loop would feel it.
# After an interrupt: leaves the function or file it is in. Must not fail, the block may run with errexit.
# Answers 3 when it is not needed any more: only outside of a function does a DEBUG trap end for good. Anything else but
# 0 means to leave, also when it is interrupted itself.
# A trace would show our calls, so it is turned on when there are no more. $_ stays what the block made it.
_oi_debug_trap='_oi_debug "$LINENO" "$_" || if (($? != 3)); then _oi_status 2; else
  _oi_shown[1]=$_; builtin trap - DEBUG;
  : "${_oi_shown[1]}"; [[ $_oi_flags != *x* || -n ${_oi_stop[0]} ]] || builtin set -x; fi'
_oi_debug() {
  if ((${#BASH_SOURCE[@]} <= _oi_depth + 1)); then
    # Back in our own loop.
    if [[ -z ${_oi_stop[0]} ]]; then return 0; fi
    builtin shopt -u extdebug
    builtin set +T
    return 3
  fi
  if [[ -n ${_oi_stop[0]} ]]; then return 2; fi
  if [[ ${BASH_SOURCE[1]} == "$_oi_block" ]] && ((${#BASH_SOURCE[@]} == _oi_depth + 2)); then
    if ((_oi_fired[0] == 0)) && [[ $_oi_flags != *T* ]]; then builtin set +T; fi
    if [[ $_oi_kind == *l* && ${_oi_shown[0]} != "$1" ]]; then
      _oi_shown[0]=$1
      builtin printf '{"op":"line","line":%d}\n' "$1" >&61
    fi
  elif ((_oi_fired[0] == 0)); then
    return 0
  fi
  ((++_oi_fired[0] < _oi_most)) && [[ $_oi_flags != *x* ]] || return 3
}

# --- leaving, and coming back in a new process -------------------------------------------------------------------

_oi_leave() {
  builtin set +aeuxTE
  if [[ -n $_oi_exit_trap ]]; then
    _oi_status "${_oi_stop[1]}"
    builtin eval "$_oi_exit_trap" 2>&63
  fi
  builtin trap - EXIT INT
  _oi_keep_flags "${_oi_stop[2]}"
  _oi_dump "$_oi_dir/state"
}

# Makes $? what it was.
_oi_status() { return "$1"; }

# Writes all that a new shell needs to go on: options, variables, functions, aliases, traps, folder.
_oi_dump() {
  {
    builtin shopt -p
    builtin declare -p
    builtin declare -f
    builtin declare -F
    builtin alias -p
    builtin set +o
    builtin trap -p
    builtin umask -p
    builtin printf 'builtin cd -- %q\n# whole\n' "$PWD"
  } >|"$1"
}

# The block may have set a trap for the end of the shell: it runs there, and ours after it.
_oi_adopt_exit_trap() {
  local text
  builtin trap -p EXIT >|"$_oi_dir/traps"
  IFS= builtin read -r -d '' text <"$_oi_dir/traps"
  case $text in
    *_oi_leave*) ;;
    '') _oi_exit_trap= ;;
    *)
      text=${text#trap -- }
      builtin eval "_oi_exit_trap=${text%EXIT*}"
      ;;
  esac
}

# --- asking the person -------------------------------------------------------------------------------------------

# Where stdin is the null device that every block starts with, `read` asks the person.
read() {
  if [[ -c /dev/fd/0 && /dev/fd/0 -ef /dev/null ]]; then _oi_ask "$@"; else builtin read "$@"; fi
}

_oi_ask() {
  local _oi_option _oi_prompt='' _oi_hidden=false _oi_marks=0 _oi_answer='' _oi_for='' OPTARG='' OPTIND=1 OPTERR=0
  while builtin getopts ersEa:d:i:n:N:p:t:u: _oi_option; do
    case $_oi_option in
      s) _oi_hidden=true ;;
      p) _oi_prompt=$OPTARG ;;
      t) if [[ $OPTARG == 0 ]]; then _oi_for=other; fi ;;
      u | '?') _oi_for=other ;;
    esac
  done
  if [[ -n $_oi_for ]]; then
    builtin read "$@"
    return
  fi
  _oi_prompt=${_oi_prompt//\\/\\\\}
  _oi_prompt=${_oi_prompt//\"/\\\"}
  _oi_prompt=${_oi_prompt//$'\n'/\\n}
  _oi_prompt=${_oi_prompt//$'\t'/\\t}
  _oi_prompt=${_oi_prompt//$'\e'/\\u001b}
  _oi_prompt=${_oi_prompt//[[:cntrl:]]/}
  _oi_mark
  builtin printf '{"op":"ask","id":%d,"prompt":"%s","hidden":%s,"mark":%d}\n' \
    "$_oi_marks" "$_oi_prompt" "$_oi_hidden" "$_oi_marks" >&61
  while [[ $_oi_for != "$_oi_marks" ]]; do
    IFS=' ' builtin read -r -u 64 _oi_for _oi_answer || return 1
  done
  if [[ $_oi_answer == - ]]; then
    builtin printf '%s\n' 'read: input was asked for, but nobody is here to answer. Put the value into the command instead.' >&2
    return 1
  fi
  builtin printf -v _oi_answer %b "${_oi_answer#+}"
  builtin read "$@" <<_oi_end_of_answer
$_oi_answer
_oi_end_of_answer
}

# --- start -------------------------------------------------------------------------------------------------------

if [[ $1 == aliases ]]; then builtin shopt -s expand_aliases; fi
builtin set --
builtin printf '{"op":"ready","version":"%s"}\n' "${BASH_VERSION%%[!0-9.]*}" >&61

# When the host is gone, whatever ended it, nothing of this session stays. The watcher keeps no stream open, and it is
# nobody's child, so that `jobs` and `wait` do not know it.
(
  (
    trap '' HUP INT QUIT TERM
    exec </dev/null >/dev/null 2>&1 60<&- 61>&- 62>&- 63>&- 64<&-
    builtin read -r -u 65
    rm -f -- "$_oi_dir"/*
    rmdir -- "$_oi_dir"
    kill -KILL -$$
  ) &
)
exec 65<&-

# What a block may trace or trap stays silent while we work; a DEBUG trap of its own lasts as long as the block.
# A stray `break` ends the inner loop, which then starts again.
while :; do
  while {
    _oi_next "$?" "$-" && if [[ -n $_oi_debug_on ]]; then
      builtin trap "$_oi_debug_trap" DEBUG
    else
      builtin trap - DEBUG
    fi
  } >/dev/null 2>&1; do
    # shellcheck disable=SC1090
    if ((_oi_last == 0)); then . "$_oi_block"; else _oi_status "$_oi_last" || . "$_oi_block"; fi
  done
done
