// Runs a notebook on both sides and says where they differ.

import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Notebook } from "./cells.ts";
import { compare, type Difference } from "./compare.ts";
import { runInSession } from "./ours.ts";
import type { Outcome } from "./outcome.ts";

export async function conform({ cells }: Notebook, interpreter: string): Promise<Difference[]> {
  const [theirs, ours] = [await runInKernel(cells, interpreter), await runInSession(cells, interpreter)];
  return cells.flatMap((code, index) => compare(code, index + 1, ours[index]!, theirs[index]!));
}

function runInKernel(cells: readonly string[], interpreter: string): Promise<Outcome[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(interpreter, [join(import.meta.dirname, "kernel.py")], { stdio: ["pipe", "pipe", "pipe"] });
    let [output, problems] = ["", ""];
    child.stdout.on("data", (data) => {
      output += data;
    });
    child.stderr.on("data", (data) => {
      problems += data;
    });
    child.on("error", reject);
    child.on("close", (status) => {
      if (status === 0) resolve(JSON.parse(output) as Outcome[]);
      else reject(new Error(`ipykernel could not be run with ${interpreter}:\n${problems.slice(-2_000)}`));
    });
    child.stdin.end(JSON.stringify(cells));
  });
}
