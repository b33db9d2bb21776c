// Ends an interpreter that has no thread to notice that we are gone: a watcher beside it holds a channel that closes when
// we end, whatever ended us, and then kills the session with everything it started.

/** Descriptor 5, after commands and events. */
const script = `
(
  (
    trap '' HUP INT QUIT TERM
    exec </dev/null >/dev/null 2>&1 3<&- 4>&-
    read -r _ <&5
    kill -KILL -$$
  ) &
)
exec 5<&-
exec "$0" "$@"`;

/** How to start a program with a watcher that is nobody's child, so that the program's own `wait` does not know it. */
export function underLifeline(
  program: string,
  args: readonly string[],
): { command: string; args: readonly string[]; extraChannels?: number } {
  if (process.platform === "win32") return { command: program, args };
  return { command: "/bin/sh", args: ["-c", script, program, ...args], extraChannels: 1 };
}
