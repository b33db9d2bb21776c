// What this process says of files that code has made: nothing of what code cannot read, wherever a link leads.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { python, whyNoLayer } from "../support/protected-folder.ts";
import { run } from "../support/scripted-model.ts";

const why = whyNoLayer();

test.skipIf(why).each(["auto", "checkpoint"] as const)("%s: a link to a secret is not followed", async (layer) => {
  const folder = lastingFolder("described-");
  const [home, cwd] = [join(folder, "home"), join(folder, "work")];
  for (const each of [join(home, ".ssh"), cwd]) mkdirSync(each, { recursive: true });
  writeFileSync(join(home, ".ssh/a.csv"), "the-secret,b\n1,2\n");
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };
  const link = [
    `ln -s ${home}/.ssh/a.csv b.csv`,
    `ln -s ${home}/.ssh folder`,
    "mkdir real && echo mine,1 > real/a.csv && echo hello,1 > plain.csv",
  ].join("; ");
  const exchange = `rm -r real; ln -s ${home}/.ssh real; : folder/a.csv real/a.csv b.csv`;
  try {
    await using told = await startInterpreter([run("shell", link), run("shell", exchange), "Done."], {
      ...{ cwd, env, python, layer, sandbox: "workspace", conversation: true },
    });
    const { chunks } = await told.tell("links");
    const { interpreter } = told;
    const all = JSON.stringify([chunks, interpreter.messages, interpreter.effects(), await interpreter.effectsOf(1)]);
    expect(all).toContain("hello,1");
    expect(all).not.toContain("the-secret");
    const kept = readdirSync(join(home, ".oi/conversations"), { recursive: true, encoding: "utf8" });
    const logs = kept.filter((name) => name.endsWith(".jsonl"));
    for (const name of logs)
      expect(readFileSync(join(home, ".oi/conversations", name), "utf8")).not.toContain("the-secret");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
