// Trees that nobody would make who means well: this process reads them, comes back, and goes on; and nothing outside is touched.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { python, whyNoLayer } from "../support/protected-folder.ts";
import { run } from "../support/scripted-model.ts";

const why = whyNoLayer();

function openPlace(layer: "auto" | "checkpoint") {
  const folder = lastingFolder("trees-");
  const [home, cwd] = [join(folder, "home"), join(folder, "work")];
  for (const each of [join(home, "documents"), cwd]) mkdirSync(each, { recursive: true });
  writeFileSync(join(home, "documents/letter"), "mine\n");
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };
  return {
    home,
    cwd,
    options: {
      cwd,
      env,
      python,
      sandbox: "workspace",
      conversation: true,
      layer,
      neverSend: ["x.csv", "column:email"],
    } as const,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const trees: [name: string, code: (home: string) => string][] = [
  [
    "folders in folders without end",
    () => "for _ in range(3000):\n    os.mkdir('d'); os.chdir('d')\nopen('bottom', 'w').close()",
  ],
  ["names that are longer than a path", () => "for _ in range(30):\n    os.mkdir('n' * 250); os.chdir('n' * 250)"],
  [
    "pipes where files are read",
    () =>
      "os.makedirs('.git')\nfor name in ('.env', '.env.local', 'x.csv', 'a.csv', 'a.png', 'package.json', '.npmrc', '.python-version', 'AGENTS.md', 'pyproject.toml', '.gitignore', '.git/config', '.git/HEAD'): os.mkfifo(name)",
  ],
  [
    "links to what never ends",
    () =>
      "os.makedirs('.git')\nfor name in ('.env', 'x.csv', 'a.csv', 'a.png', 'a.parquet', '.git/config', 'package.json'): os.symlink('/dev/zero', name)",
  ],
  [
    "files that say they have a terabyte",
    () =>
      "for name in ('.env', 'x.csv', 'a.csv', 'a.png', 'a.parquet', 'a.zip'): os.truncate(os.open(name, os.O_CREAT | os.O_RDWR), 1 << 40)",
  ],
  [
    "links to the person's own",
    (home) =>
      `for name in ('a', 'b.csv', '.env'): os.symlink('${home}/documents' + ('' if name == 'a' else '/letter'), name)`,
  ],
  [
    "names of bytes that are no letters",
    () =>
      "for name in (b'\\xff', b'\\x1b]52;c;aGk=\\x07', b'a\\nb', b'\\xed\\xb2\\x80', b'-rf', b\"'\", b'\\\\', b' '):\n    open(name, 'w').close(); os.mkdir(name + b'.d'); open(name + b'.d/' + name, 'w').close()",
  ],
];

const layers = ["auto", "checkpoint"] as const;

test.skipIf(why).each(layers.flatMap((layer) => trees.map(([name, code]) => [layer, name, code] as const)))(
  "%s: %s",
  async (layer, _, code) => {
    using place = openPlace(layer);
    const make = `import os\nhere = os.getcwd()\n${code(place.home)}\nos.chdir(here)`;
    const clear =
      "import shutil\nfor e in list(os.scandir(os.fsencode(here))): shutil.rmtree(e.path) if e.is_dir(follow_symlinks=False) else os.remove(e.path)";
    {
      await using told = await startInterpreter(
        [
          run("python", make),
          run("python", "open('after', 'w').close(); print(6 * 7)"),
          "Done.",
          run("python", clear),
          "Done.",
        ],
        place.options,
      );
      const { end } = await told.tell("a tree");
      expect(end).toBe("done");
      expect(existsSync(join(place.cwd, "after"))).toBe(true);
      await told.tell("and away with it");
      expect(readdirSync(place.cwd)).toEqual([]);
      const outputs = told.interpreter.messages.filter(({ type }) => type === "console").map(({ content }) => content);
      expect(outputs.join("")).toContain("42");
    }
    expect(readFileSync(join(place.home, "documents/letter"), "utf8")).toBe("mine\n");
    // The next start finds nothing that keeps it from working.
    await using again = await startInterpreter([], place.options);
    const said = await again.interpreter.computer.run("python", "print(6 * 7)");
    expect(said.map(({ content }) => content).join("")).toContain("42");
  },
);
