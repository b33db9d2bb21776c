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

# Options of the block that would disturb our own commands. They are off while we work.
# shellcheck disable=SC2034
_oi_loud=aeuxTE

# Called between blocks with the status and options the last one left: reports its end, waits for the next one.
# Stderr is silenced around it, because a block may have asked for a trace of every command.
_oi_next() {
  builtin set +$_oi_loud
  builtin trap '' INT
  if [[ -n $_oi_id ]]; then _oi_end "$1" "$2"; fi
  if ! IFS=' ' builtin read -r -u 60 _oi_id _oi_kind _oi_block; then
    builtin trap - EXIT
    builtin exit 0
  fi
  _oi_fired=(0) _oi_shown=(0) _oi_stop=('')
  _oi_status=$_oi_last
  # A block that sets traps may replace the one that keeps the state: keep it now.
  if [[ $_oi_kind == *t* ]]; then _oi_dump "$_oi_dir/before" "$_oi_flags"; fi
  _oi_debug_on=
  if [[ -z $_oi_their_debug ]] && [[ $_oi_kind == *l* || $_oi_flags == *x* ]]; then
    _oi_debug_on=1
    # With functrace the trap reaches into the block; its first call there turns that off again.
    builtin trap '_oi_debug "$LINENO" "$_"' DEBUG
    builtin set -T
  fi
  builtin trap '{ _oi_leave "$?" "$-"; } 2>/dev/null' EXIT
  if ((BASH_VERSINFO[0] >= 5)); then
    # Leaves the innermost function or file at once; the DEBUG trap then leaves each one around it.
    builtin trap '_oi_stop[0]=-$-; builtin set +e; builtin shopt -s extdebug
      builtin trap "_oi_debug \"\$LINENO\" \"\$_\"" DEBUG; builtin return 130' INT
  else
    builtin trap 'builtin exit 130' INT
  fi
  local quiet=$_oi_flags
  if [[ -n $_oi_debug_on ]]; then quiet=${quiet//x/}; fi
  if [[ -n $quiet ]]; then builtin set -"$quiet"; fi
}

_oi_end() {
  local result=ok
  _oi_last=$1 _oi_flags=${2//[!$_oi_loud]/}
  if [[ -n $_oi_debug_on ]]; then
    # Ours ran for the call of _oi_next and said so; if it did not, the block has a trap of its own now.
    if [[ ${_oi_shown[0]} == end || ${_oi_fired[0]} -ge $_oi_most || -n ${_oi_stop[0]} ]]; then
      builtin trap - DEBUG
    else
      _oi_their_debug=1
    fi
    # Until the first command of a block, functrace is ours.
    if ((_oi_fired[0] == 0)); then _oi_flags=$_oi_kept_flags; fi
  fi
  if [[ -n ${_oi_stop[0]} ]]; then
    builtin trap - DEBUG
    builtin shopt -u extdebug
    result=interrupted _oi_last=130 _oi_flags=${_oi_stop[0]//[!$_oi_loud]/}
  elif ((_oi_last != 0)); then
    result=error
  fi
  _oi_kept_flags=$_oi_flags
  if [[ $_oi_kind == *t* ]]; then _oi_adopt_exit_trap; fi
  _oi_mark "$_oi_id"000000
  builtin printf '{"op":"end","id":%d,"status":"%s","exitCode":%d,"mark":%s}\n' \
    "$_oi_id" "$result" "$_oi_last" "$_oi_id"000000 >&61
  _oi_id=
}

_oi_mark() {
  builtin printf '\036%s:%s\036' "$_oi_nonce" "$1" >&62
  builtin printf '\036%s:%s\036' "$_oi_nonce" "$1" >&63
}

# Before every command of a block: says which line runs. Gives up after so many that a loop does not feel it.
# After an interrupt: leaves the function or file it is in. Must not fail, the block may run with errexit.
_oi_most=1000
_oi_debug() {
  if [[ -n ${_oi_stop[0]} ]]; then
    if ((${#BASH_SOURCE[@]} > _oi_depth + 1)); then return 2; fi
    return 0
  fi
  if ((${#BASH_SOURCE[@]} == _oi_depth + 1)); then
    _oi_shown[0]=end
    return 0
  fi
  if ((${#BASH_SOURCE[@]} == _oi_depth + 2)); then
    if [[ ${_oi_shown[0]} != "$1" ]]; then
      _oi_shown[0]=$1
      if [[ $_oi_kind == *l* ]]; then builtin printf '{"op":"line","line":%d}\n' "$1" >&61; fi
    fi
  fi
  if ((_oi_fired[0]++ == 0)) && [[ $_oi_flags != *T* ]]; then builtin set +T; fi
  if [[ $_oi_flags == *x* ]]; then
    _oi_fired[0]=$_oi_most
    builtin trap - DEBUG
    builtin set -x
    return 0
  fi
  if ((_oi_fired[0] >= _oi_most)); then builtin trap - DEBUG; fi
}

# The status the last block left, so that the next one finds it in $?.
_oi_again() { return "$_oi_status"; }

# --- leaving, and coming back in a new process -------------------------------------------------------------------

_oi_leave() {
  builtin set +$_oi_loud
  if [[ -n $_oi_exit_trap ]]; then
    _oi_status=$1
    _oi_again
    builtin eval "$_oi_exit_trap" 2>&63
  fi
  builtin trap - EXIT INT
  if [[ -z $_oi_their_debug ]]; then builtin trap - DEBUG; fi
  if [[ -n ${_oi_stop[0]} ]]; then builtin shopt -u extdebug; fi
  _oi_flags=${2//[!$_oi_loud]/}
  if [[ -n $_oi_debug_on ]] && ((_oi_fired[0] == 0)); then _oi_flags=$_oi_kept_flags; fi
  _oi_dump "$_oi_dir/state" "$_oi_flags"
}

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
    builtin printf 'builtin cd -- %q\n_oi_flags=%q\n# whole\n' "$PWD" "$2"
  } >|"$1"
}

# The block may have set a trap for the end of the shell: it runs when the shell ends, ours after it.
_oi_adopt_exit_trap() {
  local text
  builtin trap -p EXIT >|"$_oi_dir/trap"
  IFS= builtin read -r -d '' text <"$_oi_dir/trap"
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
  if [[ /dev/fd/0 -ef /dev/null ]]; then _oi_ask "$@"; else builtin read "$@"; fi
}

_oi_ask() {
  local _oi_option _oi_prompt='' _oi_hidden=false _oi_number=0 _oi_answer='' _oi_for='' OPTARG='' OPTIND=1 OPTERR=0
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
  # Counted in a file: a subshell may ask too.
  IFS= builtin read -r _oi_number <"$_oi_dir/asked" || :
  _oi_number=$((_oi_number + 1))
  builtin printf '%d\n' "$_oi_number" >|"$_oi_dir/asked"
  _oi_prompt=${_oi_prompt//\\/\\\\}
  _oi_prompt=${_oi_prompt//\"/\\\"}
  _oi_prompt=${_oi_prompt//$'\n'/\\n}
  _oi_prompt=${_oi_prompt//$'\t'/\\t}
  _oi_prompt=${_oi_prompt//$'\e'/\\u001b}
  _oi_prompt=${_oi_prompt//[[:cntrl:]]/}
  _oi_mark "$((_oi_id - 1))$((100000 + _oi_number))"
  builtin printf '{"op":"ask","id":%d,"prompt":"%s","hidden":%s,"mark":%s}\n' \
    "$_oi_number" "$_oi_prompt" "$_oi_hidden" "$((_oi_id - 1))$((100000 + _oi_number))" >&61
  while [[ $_oi_for != "$_oi_number" ]]; do
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

builtin trap '' INT
shopt -s expand_aliases
_oi_id='' _oi_kind='' _oi_block='' _oi_flags='' _oi_kept_flags='' _oi_last=0 _oi_status=0
_oi_their_debug='' _oi_debug_on='' _oi_exit_trap=''
_oi_fired=(0) _oi_shown=(0) _oi_stop=('')
_oi_depth=${#BASH_SOURCE[@]}

IFS=' ' builtin read -r -u 60 _oi_nonce _oi_kind _oi_dir || exit 0
set -- "$_oi_nonce" "$_oi_dir"
# shellcheck disable=SC1091
if [[ $_oi_kind == restore ]]; then . "$_oi_dir/state" >/dev/null 2>&1; fi
_oi_nonce=$1 _oi_dir=$2 _oi_id='' _oi_stop=('')
set --
builtin printf '{"op":"ready","version":"%s"}\n' "${BASH_VERSION%%[!0-9.]*}" >&61

# When the host is gone, whatever it did, nothing of this session stays. The watcher holds none of our descriptors, so
# that it keeps no stream open, and it is nobody's child, so that `jobs` and `wait` do not know it.
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

# A stray `break` in a block ends the inner loop, which starts again.
while :; do
  while { _oi_next "$?" "$-"; } 2>/dev/null; do
    # shellcheck disable=SC1090
    if ((_oi_status == 0)); then . "$_oi_block"; else _oi_again || . "$_oi_block"; fi
  done
done
