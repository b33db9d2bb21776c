# Runs blocks of POSIX shell (dash and its like) in one long-lived shell and tells the host what happens.
# Descriptors, commands, events and marks are those of bash-driver.sh. There is no report of the running line here, and
# functions cannot be listed, so a shell that takes over from one that left does not have them.

trap '' INT
command read -r _oi_nonce _oi_kind _oi_dir <&3 || exit 0

# When the host is gone, whatever ended it, nothing of this session stays. The watcher keeps no stream open, and it is
# nobody's child, so that `jobs` and `wait` do not know it.
(
  (
    trap '' HUP INT QUIT TERM
    exec </dev/null >/dev/null 2>&1 3<&- 4>&- 5<&-
    command read -r _oi_line <&6
    rm -f -- "$_oi_dir"/*
    rmdir -- "$_oi_dir"
    kill -KILL -$$
  ) &
)
# Numbers above 9 are not for everyone here: scripts have 3 and 4.
exec 9<&3 8>&4 7>&1 6>&2 3<&- 4>&-

# --- running blocks ----------------------------------------------------------------------------------------------

# Called between blocks with the status and the options the last one left: reports its end, waits for the next one.
_oi_next() {
  set +aeux
  trap '' INT
  if [ "$_oi_id" ]; then _oi_end "$1" "$2"; fi
  if ! IFS=' ' command read -r _oi_id _oi_kind _oi_block <&9; then
    trap - EXIT
    exit 0
  fi
  _oi_stop=
  # A block that sets traps may replace the one that keeps the state: keep it now.
  case $_oi_kind in *t*) _oi_dump "$_oi_dir/before" ;; esac
  # The block may be taken back.
  case $_oi_kind in
    *h*)
      jobs -p >|"$_oi_dir/jobs"
      _oi_dump "$_oi_dir/held"
      ;;
  esac
  trap '{ _oi_leave "$-"; } 2>/dev/null' EXIT
  # An error inside of `command .` leaves everything up to there, however deep, and not the shell.
  trap '{ _oi_stop=-$-; set +ex; : "${_oi_never_set?}"; } 2>/dev/null' INT
  if [ "$_oi_flags" ]; then set -"$_oi_flags"; fi
}

_oi_end() {
  _oi_last=$1 _oi_result=ok
  if [ "$_oi_stop" ]; then
    _oi_result=interrupted _oi_last=130
    _oi_keep_flags "$_oi_stop"
  else
    if [ "$_oi_last" -ne 0 ]; then _oi_result=error; fi
    _oi_keep_flags "$2"
  fi
  _oi_mark
  command printf '{"op":"end","id":%d,"status":"%s","exitCode":%d,"mark":%d}\n' \
    "$_oi_id" "$_oi_result" "$_oi_last" "$_oi_marks" >&8
  _oi_id=
}

# Marks are counted in a file, because a subshell may write one too.
_oi_mark() {
  IFS= command read -r _oi_marks <"$_oi_dir/marks"
  _oi_marks=$((_oi_marks + 1))
  command printf '%d\n' "$_oi_marks" >|"$_oi_dir/marks"
  command printf '\036%s:%d\036' "$_oi_nonce" "$_oi_marks" >&7
  command printf '\036%s:%d\036' "$_oi_nonce" "$_oi_marks" >&6
}

# Remembers the options that would disturb our own commands, for the next block.
_oi_keep_flags() {
  _oi_flags=
  case $1 in *a*) _oi_flags=a ;; esac
  case $1 in *e*) _oi_flags=${_oi_flags}e ;; esac
  case $1 in *u*) _oi_flags=${_oi_flags}u ;; esac
  case $1 in *x*) _oi_flags=${_oi_flags}x ;; esac
}

# --- leaving, and coming back in a new process -------------------------------------------------------------------

_oi_leave() {
  set +aeux
  trap - EXIT INT
  _oi_keep_flags "$1"
  _oi_dump "$_oi_dir/state"
}

# Makes $? what it was.
_oi_status() { return "$1"; }

# Writes what a new shell needs to go on: variables, aliases, options, folder.
_oi_dump() {
  alias >|"$_oi_dir/aliases"
  {
    set
    export -p
    readonly -p
    while IFS= command read -r _oi_line; do command printf 'alias %s\n' "$_oi_line"; done <"$_oi_dir/aliases"
    set +o
    command printf 'umask %s\n' "$(umask)"
    command printf '%s\n' 'cd -- "$PWD"' '# whole'
  } >|"$1"
}

# --- asking the person -------------------------------------------------------------------------------------------

# Where stdin is the null device that every block starts with, `read` asks the person.
read() {
  if [ -c /dev/fd/0 ] && [ /dev/fd/0 -ef /dev/null ]; then _oi_ask "$@"; else command read "$@"; fi
}

_oi_ask() {
  # The prompt is printed: quoting it for JSON takes a shell that can replace characters.
  case ${1-} in
    -p) command printf %s "${2-}" ;;
    -rp) command printf %s "${2-}" ;;
    -r) if [ "${2-}" = -p ]; then command printf %s "${3-}"; fi ;;
  esac
  _oi_hidden=false
  case ${1-} in -*s*) _oi_hidden=true ;; esac
  _oi_mark
  command printf '{"op":"ask","id":%d,"prompt":"","hidden":%s,"mark":%d}\n' \
    "$_oi_marks" "$_oi_hidden" "$_oi_marks" >&8
  _oi_for=
  while [ "$_oi_for" != "$_oi_marks" ]; do
    IFS=' ' command read -r _oi_for _oi_answer <&5 || return 1
  done
  if [ "$_oi_answer" = - ]; then
    command printf '%s\n' 'read: input was asked for, but nobody is here to answer. Put the value into the command instead.' >&2
    return 1
  fi
  _oi_answer=$(command printf %b "${_oi_answer#+}")
  command read "$@" <<_oi_end_of_answer
$_oi_answer
_oi_end_of_answer
}

# --- start -------------------------------------------------------------------------------------------------------

if [ "${_OI_BASH_ENV+set}" ]; then export BASH_ENV="$_OI_BASH_ENV"; fi
unset _OI_BASH_ENV
_oi_flags='' _oi_last=0
set -- "$_oi_nonce" "$_oi_dir"
if [ "$_oi_kind" = restore ]; then command . "$_oi_dir/state" >/dev/null 2>&1; fi
_oi_nonce=$1 _oi_dir=$2 _oi_id='' _oi_kind='' _oi_block='' _oi_stop=''
set --
command printf '{"op":"ready","version":""}\n' >&8

# What a block may trace stays silent while we work. A stray `break`, or an interrupt in between two blocks, ends the
# inner loop, which then starts again.
while :; do
  # shellcheck disable=SC2016
  command eval '
    while { _oi_next "$?" "$-"; } 2>/dev/null; do
      if [ "$_oi_last" -eq 0 ]; then command . "$_oi_block"; else _oi_status "$_oi_last" || command . "$_oi_block"; fi
    done
  '
done
