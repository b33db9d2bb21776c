# Runs blocks of zsh in one long-lived shell and tells the host what happens.
# Descriptors, commands, events and marks are those of bash-driver.sh.

exec {_oi_commands}<&3 {_oi_events}>&4 {_oi_out}>&1 {_oi_err}>&2 {_oi_answers}<&5 {_oi_lifeline}<&6
exec 3<&- 4>&- 5<&- 6<&-

# A shell that takes over from one that left finds its state in a file. Aliases stay out of our own functions.
trap '' INT
[[ -n ${_OI_BASH_ENV+set} ]] && export BASH_ENV=$_OI_BASH_ENV
unset _OI_BASH_ENV
typeset -g _oi_nonce= _oi_kind= _oi_dir= _oi_id= _oi_block= _oi_stop= _oi_status=0 _oi_options= _oi_restore=
typeset -gi _oi_fired=0 _oi_shown=0 _oi_most=500 _oi_marks=0
IFS=' ' read -r -u $_oi_commands _oi_nonce _oi_kind _oi_dir || exit 0
if [[ $_oi_kind == restore ]]; then . $_oi_dir/state >/dev/null 2>&1; fi
[[ -o aliases ]] && _oi_options=aliases
unsetopt aliases

# --- running blocks ----------------------------------------------------------------------------------------------

# Called between blocks: reports the end of the last one, waits for the next one.
_oi_next() {
  local was="setopt ${(kj: :)options[(R)on]}; unsetopt ${(kj: :)options[(R)off]}"
  emulate -L zsh
  unsetopt xtrace errexit nounset allexport
  if [[ -n $_oi_id ]]; then _oi_end; fi
  if ! IFS=' ' builtin read -r -u $_oi_commands _oi_id _oi_kind _oi_block; then
    zshexit_functions=(${zshexit_functions:#_oi_leave})
    _oi_dir=
    builtin exit 0
  fi
  _oi_fired=0 _oi_shown=0 _oi_stop=
  # A block that sets traps may replace the one that keeps the state: keep it now.
  if [[ $_oi_kind == *t* ]]; then _oi_dump $_oi_dir/before; fi
  # The block may be taken back.
  if [[ $_oi_kind == *h* ]]; then
    builtin print -rl -- ${${(v)jobstates}##*:*:} >|$_oi_dir/jobs
    _oi_options="$was; _oi_restore=$_oi_restore _oi_status=$_oi_status"
    _oi_dump $_oi_dir/held
    _oi_options=
  fi
  return 0
}

_oi_end() {
  local result=ok
  if [[ -n $_oi_stop ]]; then
    result=interrupted _oi_status=130
  elif ((_oi_status != 0)); then
    result=error
  fi
  _oi_mark
  builtin printf '{"op":"end","id":%d,"status":"%s","exitCode":%d,"mark":%d}\n' \
    $_oi_id $result $_oi_status $_oi_marks >&$_oi_events
  _oi_id=
}

# Marks are counted in a file, because a subshell may write one too.
_oi_mark() {
  IFS= builtin read -r _oi_marks <$_oi_dir/marks
  _oi_marks+=1
  builtin printf '%d\n' $_oi_marks >|$_oi_dir/marks
  builtin printf '\036%s:%d\036' $_oi_nonce $_oi_marks >&$_oi_out
  builtin printf '\036%s:%d\036' $_oi_nonce $_oi_marks >&$_oi_err
}

# Before every command of a block: says which line runs, until there were so many that a loop would feel it.
_oi_debug() {
  setopt localoptions noallexport
  if [[ $#funcstack -eq 3 && $funcstack[2] == $_oi_block && $1 -ne $_oi_shown ]]; then
    _oi_shown=$1
    builtin printf '{"op":"line","line":%d}\n' $1 >&$_oi_events
  fi
  _oi_fired+=1
  return 0
}

# These assign for the loop below. Not done there, because a block may have asked to export whatever is assigned.
_oi_stopped() {
  setopt localoptions noallexport
  _oi_stop=-$1
}

_oi_after() {
  setopt localoptions noallexport
  _oi_status=$1 _oi_restore=$2$_oi_stop TRY_BLOCK_ERROR=0 TRY_BLOCK_INTERRUPT=0
}

# Makes $? what it was.
_oi_again() { return $_oi_status }

# --- leaving, and coming back in a new process -------------------------------------------------------------------

_oi_leave() {
  if [[ -n $_oi_dir ]]; then
    _oi_options="setopt ${(kj: :)options[(R)on]}; unsetopt ${(kj: :)options[(R)off]}"
    emulate -L zsh
    unsetopt xtrace errexit nounset allexport
    _oi_dump $_oi_dir/state 2>/dev/null
  fi
}

# Writes all that a new shell needs to go on: variables, functions, aliases, options, folder.
_oi_dump() {
  setopt extendedglob
  local -a names
  # Special ones belong to the process, but for those people set.
  names=(
    ${(k)parameters[(R)^*(special|local)*]}
    ${(Mk)parameters:#(PATH|CDPATH|FPATH|MANPATH|IFS|HOME|LANG|LC_*|TERM|NULLCMD|READNULLCMD|WORDCHARS|PS4)}
  )
  names=(${names:#(_oi_*|_|OLDPWD|PWD|SHLVL)})
  {
    typeset -p $names
    builtin printf 'OLDPWD=%q\n' $OLDPWD
    functions ${(k)functions:#(_oi_*|read|TRAPINT)}
    alias -L
    alias -sL
    builtin printf 'builtin cd -- %q\numask %s\n' $PWD "$(umask)"
    builtin printf '%s\n' ${_oi_options:-:} '# whole'
  } >|$1
}

# --- asking the person -------------------------------------------------------------------------------------------

# Where stdin is the null device that every block starts with, `read` asks the person.
read() {
  if [[ -c /dev/fd/0 && /dev/fd/0 -ef /dev/null ]]; then _oi_ask "$@"; else builtin read "$@"; fi
}

_oi_ask() {
  local _oi_option _oi_prompt='' _oi_hidden=false _oi_answer='' _oi_for='' OPTARG='' OPTIND=1
  local -a _oi_from
  while builtin getopts :AcelnpqrszEd:k:t:u: _oi_option; do
    case $_oi_option in
      s) _oi_hidden=true ;;
      q) _oi_from=(-u 0) ;;
      # Their argument is optional and stands at once behind them.
      k) _oi_from=(-u 0); if [[ $OPTARG != <-> ]]; then OPTIND=$((OPTIND - 1)); fi ;;
      t) if [[ $OPTARG != [0-9.]## ]]; then OPTIND=$((OPTIND - 1)); elif ((OPTARG == 0)); then _oi_for=other; fi ;;
      u | p | z | l | c) _oi_for=other ;;
    esac
  done
  if [[ -n $_oi_for ]]; then
    builtin read "$@"
    return
  fi
  if [[ ${@[OPTIND]-} == *\?* ]]; then _oi_prompt=${@[OPTIND]#*\?}; fi
  _oi_prompt=${_oi_prompt//\\/\\\\}
  _oi_prompt=${_oi_prompt//\"/\\\"}
  _oi_prompt=${_oi_prompt//$'\n'/\\n}
  _oi_prompt=${_oi_prompt//$'\t'/\\t}
  _oi_prompt=${_oi_prompt//$'\e'/\\u001b}
  _oi_prompt=${_oi_prompt//[[:cntrl:]]/}
  _oi_mark
  builtin printf '{"op":"ask","id":%d,"prompt":"%s","hidden":%s,"mark":%d}\n' \
    $_oi_marks "$_oi_prompt" $_oi_hidden $_oi_marks >&$_oi_events
  while [[ $_oi_for != $_oi_marks ]]; do
    IFS=' ' builtin read -r -u $_oi_answers _oi_for _oi_answer || return 1
  done
  if [[ $_oi_answer == - ]]; then
    builtin printf '%s\n' 'read: input was asked for, but nobody is here to answer. Put the value into the command instead.' >&2
    return 1
  fi
  builtin printf -v _oi_answer %b "${_oi_answer#+}"
  builtin read $_oi_from "$@" <<_oi_end_of_answer
$_oi_answer
_oi_end_of_answer
}

# --- start -------------------------------------------------------------------------------------------------------

# What EXIT misses: `exit` inside a function. What this misses: errexit.
zshexit_functions=(${zshexit_functions:#_oi_leave} _oi_leave)
builtin printf '{"op":"ready","version":"%s"}\n' $ZSH_VERSION >&$_oi_events

# When the host is gone, whatever ended it, nothing of this session stays. The watcher keeps no stream open, and it is
# nobody's child, so that `jobs` and `wait` do not know it.
(
  (
    trap '' HUP INT QUIT TERM
    exec </dev/null >/dev/null 2>&1 {_oi_commands}<&- {_oi_events}>&- {_oi_out}>&- {_oi_err}>&- {_oi_answers}<&-
    builtin read -r -u $_oi_lifeline
    rm -f -- $_oi_dir/*
    rmdir -- $_oi_dir
    kill -KILL -$$
  ) &
)
exec {_oi_lifeline}<&-
if [[ $_oi_options == aliases ]]; then setopt aliases; fi
_oi_options=

# What a block may trace or trap stays silent while we work; a DEBUG trap of its own lasts as long as the block.
# An interrupt that comes in between two blocks ends the inner loop, which then starts again.
while :; do
  {
    while { _oi_next } >/dev/null 2>&1; do
      {
        {
          trap _oi_leave EXIT
          if [[ $_oi_restore == *x* ]]; then
            trap 'if [[ $funcstack[1] == $_oi_block ]]; then trap - DEBUG; setopt xtrace; fi' DEBUG
          elif [[ $_oi_kind == *l* ]]; then
            trap '_oi_debug $LINENO; if ((_oi_fired >= _oi_most)); then trap - DEBUG; fi' DEBUG
          fi
          TRAPINT() {
            _oi_stopped $-
            unsetopt errexit xtrace
            return 130
          } 2>/dev/null
          if [[ $_oi_restore == *e* ]]; then setopt errexit; fi
        } >/dev/null 2>&1
        if ((_oi_status == 0)); then . $_oi_block; else _oi_again || . $_oi_block; fi
      } always {
        {
          _oi_after $? $-
          trap - DEBUG
          trap '' INT
          unsetopt xtrace errexit
        } >/dev/null 2>&1
      }
    done
  } always {
    TRY_BLOCK_ERROR=0 TRY_BLOCK_INTERRUPT=0
  }
done
