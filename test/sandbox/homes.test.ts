// Strict walls around a folder in a home, which lies in the folder of all homes, as most do; and what happens when what protects files fails.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { run } from "../support/scripted-model.ts";

const why = whyNoLayer();

function openPlace() {
  const homes = lastingFolder("homes-");
  const home = join(homes, "ada");
  const cwd = join(home, "projects/shop");
  for (const folder of [cwd, join(homes, "bob"), join(home, ".config/open-interpreter")])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(homes, "bob/letter"), "private\n");
  writeFileSync(join(home, "notes"), "private\n");
  writeFileSync(join(cwd, "data"), "mine\n");
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };
  // The folder of all homes is hidden, too, as /home is.
  mkdirSync(join(home, ".oi"));
  writeFileSync(join(home, ".oi/rules.yaml"), `- deny: { read: ${homes} }\n`);
  return { homes, home, cwd, env, [Symbol.dispose]: () => rmSync(homes, { recursive: true, force: true }) };
}

test.skipIf(why).each(["auto", "checkpoint"] as const)("strict, in a home among others, %s", async (layer) => {
  using place = openPlace();
  const code = "cat data; cat ~/notes ../../notes ../../../bob/letter; echo made > made; ls ../../..";
  await using told = await startInterpreter([run("shell", code), "Done."], {
    cwd: place.cwd,
    env: place.env,
    sandbox: "strict",
    conversation: true,
    layer,
  });
  const { end } = await told.tell("go");
  expect(end).toBe("done");
  const said = told.interpreter.messages.map(({ content }) => String(content)).join("\n");
  expect(said).toContain("mine");
  expect(said).not.toContain("private");
  expect(said).toMatch(/^ada$/m);
  expect(said).not.toMatch(/^bob$/m);
  expect(readFileSync(join(place.cwd, "made"), "utf8")).toBe("made\n");
});

test.skipIf(why)("what holds the layer is killed: the turn ends with words, and nothing else does", async () => {
  using place = openPlace();
  const block = run("shell", "echo hi");
  await using told = await startInterpreter([block, "Done.", block, "Not reached."], {
    cwd: place.cwd,
    env: place.env,
    sandbox: "workspace",
    conversation: true,
  });
  expect((await told.tell("go")).end).toBe("done");
  // As the kernel does when memory runs out.
  const holders = execFileSync("pgrep", ["-P", String(process.pid), "-x", "unshare"], { encoding: "utf8" });
  for (const pid of holders.trim().split("\n")) process.kill(Number(pid), "SIGKILL");
  const { end, notices } = await told.tell("again");
  expect(end).toBe("failed");
  expect(notices.at(-1)).toMatchObject({ type: "error", code: "protection" });
  expect(String(notices.at(-1)!.content)).toMatch(/^The write layer over .* does not answer: /);
});
