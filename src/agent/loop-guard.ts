// Notices a turn that goes in circles: the same block ending the same way again and again.

import type { StepResult } from "./step.ts";

export type Verdict = "fine" | "warn" | "stop";

export function createLoopGuard(): (language: string, code: string, result: StepResult) => Verdict {
  const seen = new Map<string, number>();
  return (language, code, { status, fingerprint }) => {
    if (status === "ok") return "fine";
    // Addresses, times and block numbers differ from run to run without meaning anything.
    const same = fingerprint.replace(/0x[0-9a-f]+|<block \d+>|\d+(\.\d+)?/gi, "#");
    const key = JSON.stringify([language, code.trim(), status, same]);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    if (times >= 3) return "stop";
    return times === 2 ? "warn" : "fine";
  };
}
