// A file that may not be read fails to open, for everybody: it is not taken for an empty one, and the person is asked.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PathQuestion } from "../../src/interpreter/sandboxing.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { run } from "../support/scripted-model.ts";

const why = whyNoLayer();

for (const layer of ["auto", "checkpoint"] as const)
  test.skipIf(why)(`${layer}: reading and writing it fails, and is understood${why && ` (${why})`}`, async () => {
    const folder = lastingFolder("hidden-");
    try {
      const [home, work] = [join(folder, "home"), join(folder, "work")];
      for (const each of [join(home, ".oi"), work]) mkdirSync(each, { recursive: true });
      writeFileSync(join(work, "salaries.csv"), "the secret\n");
      writeFileSync(join(home, ".netrc"), "the secret\n");
      writeFileSync(join(home, ".oi/rules.yaml"), `- deny: { read: ${JSON.stringify(join(work, "salaries.csv"))} }\n`);
      const asked: PathQuestion[] = [];
      const code =
        "cat salaries.csv && echo was read; cat ~/.netrc && echo was read; echo x > salaries.csv || echo kept out";
      await using it = await startInterpreter([run("shell", code), "Done."], {
        cwd: work,
        env: { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") },
        sandbox: "workspace",
        conversation: true,
        layer,
        askPath: async (question) => {
          asked.push(question);
          return "no";
        },
      });
      await it.tell("go");
      const heard = JSON.stringify(it.model.requests.at(-1)!.body).replaceAll(JSON.stringify(code).slice(1, -1), "");
      expect(heard).not.toContain("the secret");
      expect(heard).not.toContain("was read");
      expect(heard).toContain("kept out");
      expect(asked).toContainEqual({ kind: "read", path: join(home, ".netrc"), allow: join(home, ".netrc") });
      expect(readFileSync(join(work, "salaries.csv"), "utf8")).toBe("the secret\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
