// Says in plain words how a process ended.

import type { Exit } from "../machine/index.ts";

const signals: Partial<Record<NodeJS.Signals, string>> = {
  SIGKILL: "killed (SIGKILL): by someone, or by the system because memory ran out",
  SIGSEGV: "crashed (SIGSEGV: it touched memory that is not its own)",
  SIGBUS: "crashed (SIGBUS: bad memory access, or a full disk behind a mapped file)",
  SIGABRT: "aborted itself (SIGABRT)",
  SIGFPE: "crashed (SIGFPE: arithmetic error)",
  SIGILL: "crashed (SIGILL: an instruction this processor does not have)",
  SIGTERM: "asked to end (SIGTERM)",
  SIGPIPE: "ended by a closed pipe (SIGPIPE)",
};

export function explainExit(exit: Exit): string {
  if (exit.signal) return signals[exit.signal] ?? `ended by signal ${exit.signal}`;
  if (exit.code === null) return "ended without a word: it crashed, was killed, or left at once";
  return `exited with status ${exit.code}`;
}
