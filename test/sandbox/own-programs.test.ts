// Programs that this process starts by itself, outside of the sandbox: never one that code has written.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { findTool } from "../../src/machine/find-tool.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { python, whyNoLayer } from "../support/protected-folder.ts";
import { run } from "../support/scripted-model.ts";

const why = whyNoLayer();
const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});

/** A project with an environment of its own, which the person has activated. */
function openPlace() {
  const folder = lastingFolder("programs-");
  const [home, cwd] = [join(folder, "home"), join(folder, "work")];
  for (const each of [home, join(cwd, ".venv/bin")]) mkdirSync(each, { recursive: true });
  symlinkSync("/usr/bin/python3", join(cwd, ".venv/bin/python3"));
  writeFileSync(join(cwd, ".venv/pyvenv.cfg"), "home = /usr/bin\n");
  process.env.PATH = `${join(cwd, ".venv/bin")}:${path}`;
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };
  const won = join(home, "won");
  return {
    cwd,
    /** Where nothing can be written from within. */
    won: () => (existsSync(won) ? readFileSync(won, "utf8") : ""),
    /** Code that puts programs in the place of those of the system. */
    planting: (names: string) => `rm -f .venv/bin/python3
for n in ${names}; do
  printf '#!/bin/bash\\necho %s >> ${won}\\nexec /usr/bin/%s "$@"\\n' $n $n > .venv/bin/$n
  chmod +x .venv/bin/$n
done
ls .venv/bin`,
    options: { cwd, env, sandbox: "workspace", conversation: true } as const,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const ours = "mount umount perl sh ip nsenter unshare setpriv setsid mkdir mkfifo git cp chmod";

test.skipIf(why)("what puts up walls and keeps files is the system's own", async () => {
  using place = openPlace();
  for (const _ of ["first", "second"]) {
    await using told = await startInterpreter([], { ...place.options, python });
    const { computer } = told.interpreter;
    await computer.run("shell", place.planting(ours));
    await computer.run("shell", "mkdir -p a/b && mkfifo a/b/pipe a/other; touch a/c; exec 7<>a/other");
    await computer.run("shell", "rm -r a; mkfifo a");
  }
  expect(existsSync(join(place.cwd, ".venv/bin/mkfifo"))).toBe(true);
  expect(place.won()).toBe("");
});

test.skipIf(why)("safe mode reads blocks with none that lies in the folder that is worked in", async () => {
  using place = openPlace();
  const names = "python3 python bandit semgrep";
  await using told = await startInterpreter(
    [run("shell", place.planting(names)), run("python", "print(6 * 7)"), "Done."],
    {
      ...place.options,
      python: join(place.cwd, ".venv/bin/python3"),
      safeMode: "auto",
      approve: async () => ({ type: "run" }),
    },
  );
  await told.tell("look at it");
  expect(existsSync(join(place.cwd, ".venv/bin/bandit"))).toBe(true);
  expect(place.won()).toBe("");
});

test.skipIf(why)("what we run ourselves is not written, wherever it lies", async () => {
  using place = openPlace();
  const root = join(import.meta.dirname, "../..");
  const [planted, beside] = [join(root, "src/planted"), join(root, "node_modules/.sandbox/beside")];
  mkdirSync(dirname(beside), { recursive: true });
  try {
    await using told = await startInterpreter([], { ...place.options, python, allowWrite: ["/"] });
    const { computer } = told.interpreter;
    const code = [`touch ${beside}`, `touch ${planted}`, `: >> ${process.execPath}`].join("; ");
    const said = (await computer.run("shell", code)).map(({ content }) => content).join("");
    expect(existsSync(beside)).toBe(true);
    expect(existsSync(planted)).toBe(false);
    expect(said).toMatch(/bin\/node: (Read-only file system|Text file busy)/);
  } finally {
    for (const path of [planted, beside]) rmSync(path, { force: true });
  }
});

test("a program is looked for where systems keep theirs, and not where code can write", () => {
  using place = openPlace();
  const bin = join(place.cwd, ".venv/bin");
  for (const name of ["sh", "only-here"]) {
    writeFileSync(join(bin, name), "#!/bin/sh\n");
    chmodSync(join(bin, name), 0o755);
  }
  expect(findTool("sh", { cwd: place.cwd })).toMatch(/^\/(usr\/)?bin\/sh$/);
  expect(findTool("only-here", { cwd: place.cwd })).toBeUndefined();
  expect(findTool("only-here", { cwd: "/" })).toBe(join(bin, "only-here"));
});
