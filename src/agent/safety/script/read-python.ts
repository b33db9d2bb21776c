// Python by Python's own parser, in a child that only reads: the block is never run there.

import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { findPython } from "../../../languages/index.ts";
import { findTool, isWrittenByCode } from "../../../machine/index.ts";
import type { See } from "../act.ts";
import { askChildForJson } from "../child.ts";
import type { SafetyEnvironment } from "../environment.ts";
import { evaluate } from "./evaluate.ts";
import { pythonDialect } from "./python-dialect.ts";
import type { Step } from "./tree.ts";

const reader = fileURLToPath(new URL("./safety-python.py", import.meta.url));

type Answer = { steps: readonly Step[] } | { problem: string; line: number; unfinished?: boolean };

export async function readPython(code: string, environment: SafetyEnvironment, see: See): Promise<void> {
  const { cwd, env, python, signal } = environment;
  // It runs without walls: one in the folder that is worked in may be what an earlier block has made of it.
  const own = findPython(python, cwd, env)?.path;
  const found = own && isWrittenByCode(own, cwd) ? findTool("python3", { env, cwd }) : own;
  if (!found) {
    see({ type: "unreadable", why: "there is no Python to read it with", unfinished: true, line: 1 });
    return;
  }
  const answer = (await askChildForJson({
    command: found,
    args: ["-I", "-S", "-B", reader],
    input: code,
    cwd: tmpdir(),
    env,
    milliseconds: environment.milliseconds ?? 5_000,
    ...(signal && { signal }),
  })) as Answer | undefined;
  if (answer === undefined) see({ type: "unreadable", why: "Python did not answer", unfinished: true, line: 1 });
  else if ("problem" in answer)
    see({ type: "unreadable", why: answer.problem, unfinished: answer.unfinished ?? false, line: answer.line });
  else evaluate(answer.steps, pythonDialect, see);
}
