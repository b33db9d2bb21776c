# Starts fish on a terminal of its own: $1 is the terminal, $2 the driver, $3 fish.
#
# fish takes an interrupt without leaving only where it is interactive, and for that it wants a terminal. It draws its prompt
# there and nobody looks at it; blocks print to the pipes that were there before. Descriptor 3 carries one line, the nonce and
# the private folder; 4 events; 5 closes when the host is gone; 6 is the stdout of blocks.

read -r _OI_NONCE _OI_FOLDER <&3 || exit 0
_OI_TERM=${TERM-dumb}
# A fish that takes its terminal for a clever one asks it questions.
TERM=dumb
export _OI_NONCE _OI_FOLDER _OI_TERM TERM

# When the host is gone, whatever ended it, nothing of this session stays.
(
  (
    trap '' HUP INT QUIT TERM
    exec </dev/null >/dev/null 2>&1 3<&- 4>&-
    read -r _ <&5
    rm -rf -- "$_OI_FOLDER"
    kill -KILL -$$
  ) &
)

# The first terminal a session's leader opens becomes its own.
exec 6>&1 3<&- 5<&- <>"$1" >&0
exec "$3" --no-config --private --interactive --init-command "source '$2'"
