// Runs cells in our Python session, in a fresh folder.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { python } from "../../src/languages/python/index.ts";
import { localMachine } from "../../src/machine/index.ts";
import type { Outcome } from "./outcome.ts";

export async function runInSession(cells: readonly string[], interpreter: string): Promise<Outcome[]> {
  const cwd = mkdtempSync(join(tmpdir(), "conformance-"));
  const outcomes: Outcome[] = [];
  let session = await python.start({ machine: localMachine, cwd, env: process.env, python: interpreter });
  for (const [index, code] of cells.entries()) {
    const outcome: Outcome = { stdout: "", stderr: "", shown: [] };
    for await (const event of session.run(code, `<block ${index + 1}>`)) {
      if (event.type === "output") outcome[event.stream === "stderr" ? "stderr" : "stdout"] += event.text;
      else if (event.type === "error") outcome.error = event.name;
      else if (event.type === "input") event.answer(null);
      else if (event.type === "display")
        outcome.shown.push({ mimes: Object.keys(event.bundle).sort(), text: String(event.bundle["text/plain"] ?? "") });
      else if (event.type === "end" && event.status === "exited") outcome.error = "the session ended";
    }
    for (const part of ["stdout", "stderr"] as const) outcome[part] = outcome[part].replaceAll(cwd, "FOLDER");
    for (const shown of outcome.shown) shown.text = shown.text?.replaceAll(cwd, "FOLDER");
    outcomes.push(outcome);
    if (!session.alive)
      session = await python.start({ machine: localMachine, cwd, env: process.env, python: interpreter });
  }
  await session.close();
  rmSync(cwd, { recursive: true, force: true });
  return outcomes;
}
