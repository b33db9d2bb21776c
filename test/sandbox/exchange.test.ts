// A program that code leaves running and that puts links where folders were, between the moment in which effects are seen and the one in
// which they are kept or discarded: nothing outside is moved in or deleted.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { EffectsDecision } from "../../src/agent/index.ts";
import type { InterpreterOptions } from "../../src/interpreter/index.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { run, type Script } from "../support/scripted-model.ts";

const why = whyNoLayer();

function openPlace() {
  const folder = lastingFolder("exchange-");
  const [home, work, outside] = [join(folder, "home"), join(folder, "work"), join(folder, "outside")];
  for (const each of [home, join(work, "a/b"), outside]) mkdirSync(each, { recursive: true });
  writeFileSync(join(work, "a/b/file"), "mine");
  for (const name of ["file", "new"]) writeFileSync(join(outside, name), "SECRET");
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };
  return {
    work,
    outside,
    env,
    outsideNow: () =>
      Object.fromEntries(readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), "utf8")])),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const untouched = { file: "SECRET", new: "SECRET" };

const start = (place: ReturnType<typeof openPlace>, script: Script, options: InterpreterOptions) =>
  startInterpreter(script, { cwd: place.work, env: place.env, sandbox: "workspace", conversation: true, ...options });

for (const layer of ["auto", "checkpoint"] as const)
  for (const decision of [{ type: "keep" }, { type: "discard" }] as const satisfies EffectsDecision[])
    test.skipIf(why)(`${layer}, ${decision.type}: while the person thinks about it${why && ` (${why})`}`, async () => {
      using place = openPlace();
      const [go, gone] = ["go", "gone"].map((name) =>
        join(tmpdir(), `exchange-${process.pid}-${decision.type}-${name}`),
      );
      for (const path of [go!, gone!]) rmSync(path, { force: true });
      const later = `while [ ! -e ${go} ]; do sleep 0.05; done; rm -rf a/b; ln -s ${place.outside} a/b; touch ${gone}`;
      const code = `echo x > a/b/file; echo y > a/b/new; (setsid sh -c '${later}' >/dev/null 2>&1 &)`;
      let isLink = false;
      await using it = await start(place, [run("shell", code), "Done."], {
        layer,
        autoRun: false,
        approveWhat: "effects",
        approveEffects: async () => {
          writeFileSync(go!, "");
          for (let times = 0; times < 200 && !isLink; times++) {
            await wait(50);
            isLink = existsSync(gone!);
          }
          for (const path of [go!, gone!]) rmSync(path, { force: true });
          return decision;
        },
      });
      await it.tell("go");
      expect(isLink).toBe(true);
      expect(place.outsideNow()).toEqual(untouched);
      if (layer === "checkpoint") return;
      // What it did later belongs to the next step.
      expect(readFileSync(join(place.work, "a/b/file"), "utf8")).toBe("mine");
      expect(readdirSync(join(place.work, "a/b"))).toEqual(["file"]);
    });
