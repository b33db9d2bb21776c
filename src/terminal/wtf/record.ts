// What the hook of a shell has written about its last command that failed.

import { readFileSync } from "node:fs";

export interface FailedCommand {
  command: string;
  code: number;
  /** Where the shell was afterwards. */
  folder: string;
  /** Whether it is certain that this was the command: one that is not in the history is not known. */
  sure: boolean;
}

/** `parent` is the process that started us: a shell without a hook, inside one that has it, knows nothing. */
export function readRecord(env: NodeJS.ProcessEnv, parent: number): FailedCommand | "none yet" | undefined {
  const path = env.INTERPRETER_SHELL_RECORD;
  if (!path) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  const shell = env.INTERPRETER_WTF_SHELL ?? String(parent);
  if (!path.endsWith(`/${shell}`)) return undefined;
  const [pid, code, folder, sure, ...rest] = text.split("\0");
  if (pid !== shell || !folder) return "none yet";
  // Bash puts the number of the line in its history before it.
  const command = rest
    .join("\0")
    .replace(/\0$/, "")
    .replace(/^\s*\d+\*?\s{2}/, "")
    .trim();
  return command === "" ? "none yet" : { command, code: Number(code), folder, sure: sure === "sure" };
}
