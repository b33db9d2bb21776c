// Folders that code and this process both write in: links and pipes that code puts there lead us nowhere.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { python, whyNoLayer } from "../support/protected-folder.ts";
import { run } from "../support/scripted-model.ts";

const why = whyNoLayer();

function openPlace() {
  const folder = lastingFolder("shared-");
  const [home, cwd] = [join(folder, "home"), join(folder, "work")];
  for (const each of [join(home, "documents"), cwd]) mkdirSync(each, { recursive: true });
  writeFileSync(join(home, "documents/letter"), "mine\n");
  writeFileSync(join(home, ".bashrc"), "# mine\n");
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };
  return {
    home,
    options: { cwd, env, python, sandbox: "workspace", conversation: true } as const,
    /** What there is of the person's. */
    look: () => [
      readFileSync(join(home, ".bashrc"), "utf8"),
      ...readdirSync(join(home, "documents")).map((name) => readFileSync(join(home, "documents", name), "utf8")),
    ],
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const untouched = ["# mine\n", "mine\n"];

const ofBlocks: [how: string, code: (home: string) => string][] = [
  ["the folder", (home) => `d=$(dirname $BASH_SOURCE); mv $d $d.away; ln -s ${home}/documents $d`],
  [
    "the next file",
    (home) => `d=$(dirname $BASH_SOURCE); for n in 1 2 3 4 5 6 7 8 9; do ln -sf ${home}/.bashrc $d/block-$n; done`,
  ],
  [
    "every file that may be next",
    (home) =>
      `d=$(dirname $BASH_SOURCE); for n in $d/block-*; do :; done; rm -f $d/*; for n in 1 2 3 4 5 6 7 8 9; do ln -s ${home}/documents/new $d/block-$n; done`,
  ],
];

test.skipIf(why).each(ofBlocks)("blocks of a shell are not written through %s", async (_, code) => {
  using place = openPlace();
  await using told = await startInterpreter([], place.options);
  const { computer } = told.interpreter;
  await computer.run("shell", code(place.home));
  await computer.run("shell", "echo hello");
  await computer.run("shell", "echo hello");
  expect(place.look()).toEqual(untouched);
});

const ofState: [how: string, code: (home: string) => string][] = [
  ["the folder of a language", (home) => `os.rename(f, f + '.away'); os.symlink('${home}/documents', f)`],
  ["what is to become the list", (home) => `os.symlink('${home}/.bashrc', f'{f}/saved.${process.pid}.new')`],
  ["the list", (home) => `os.remove(f + '/saved'); os.symlink('${home}/.bashrc', f + '/saved')`],
];

test.skipIf(why).each(ofState)("what sessions hold is not saved through %s", async (_, code) => {
  using place = openPlace();
  const attack = [
    "import glob, os, time",
    `f = glob.glob('${place.home}/.oi/conversations/*/state')[-1] + '/python'`,
    "for _ in range(100):",
    "    if os.path.exists(f + '/saved'): break",
    "    time.sleep(0.1)",
    code(place.home),
  ].join("\n");
  {
    await using told = await startInterpreter(
      [run("python", "a = 1"), "Done.", run("python", attack), "Done.", run("python", "b = 2"), "Done."],
      place.options,
    );
    for (const words of ["first", "then", "last"]) {
      await told.tell(words);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  expect(place.look()).toEqual(untouched);
});

test.skipIf(why)("a pipe in the place of settings of git is not waited for", async () => {
  using place = openPlace();
  await using told = await startInterpreter(
    [run("shell", "mkdir -p .git deep/.git && mkfifo .git/config deep/.git/config && touch after"), "Done."],
    place.options,
  );
  await told.tell("pipes");
  expect(existsSync(join(place.options.cwd, "after"))).toBe(true);
});
