import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Chunk } from "../../src/messages/index.ts";
import { Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["-y", "--model", "openai-chat/scripted", "--api_base", url];

const twelve = "for n in range(12): open(f'part-{n:02}.txt', 'w').write(f'this is {n}\\n')";

test("the files of a turn stand below it, in a table that fits", async () => {
  for (const columns of [100, 44]) {
    await using model = await scriptedModel([
      run("python", "rows = open('sales.csv').read()"),
      run(
        "python",
        "open('sales.csv', 'w').write(rows + 'x,1\\n'); open('a long name for a report.md', 'w').write('# Report')",
      ),
      "Done.",
    ]);
    using place = new Place();
    writeFileSync(join(place.folder, "sales.csv"), "shop,cups\nStation,12\n");
    await using terminal = new Terminal(place, [...use(model.openai), "work"], { columns });
    expect(await terminal.ended()).toBe(0);
    const text = terminal.text();
    const rows = text.slice(text.lastIndexOf("2 files: 1 new, 1 changed\n")).split("\n").slice(1);
    const own = rows.filter((row) => /^\d |^ {4}/.test(row));
    expect([own.length, own.every((row) => row.length < columns)]).toEqual([4, true]);
    expect(text.replace(/\s+/g, " ")).toContain(
      "! It was there before, block 1 read or named it, and block 2 has overwritten it.",
    );
    expect(text).toContain("shop,cups");
    if (columns === 100) {
      expect(text).toMatch(/1 sales\.csv +changed · 25 B · csv 2 rows × 2 columns · block 2, python/);
      expect(text).toMatch(/2 a long name for a report\.md +new · 8 B · md, 1 line · block 2, python/);
    }
  }
});

test("more than ten files are counted; a program gets them as a chunk; without the setting nothing is said", async () => {
  await using model = await scriptedModel([
    run("python", twelve),
    "A.",
    run("python", twelve),
    "B.",
    run("python", twelve),
    "C.",
  ]);
  using place = new Place();
  mkdirSync(join(place.folder, "one"));
  const plain = await place.run([...use(model.openai), "--plain", "work"]);
  expect(plain.stdout).toContain("part-09.txt");
  expect(plain.stdout).toContain("… and 2 more");
  expect(plain.stdout).not.toContain("part-11.txt  ");
  const json = await place.run([...use(model.openai), "--json", "work"]);
  const chunks = json.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Chunk);
  expect(chunks.filter(({ type }) => type === "deliverables")).toMatchObject([
    { role: "computer", content: { more: 0, files: expect.any(Array) } },
  ]);
  const off = await place.run([...use(model.openai), "--no-deliverables", "--json", "work"]);
  expect(off.stdout).not.toContain('"deliverables"');
});

test("folders that programs keep for themselves are one row each, as are those that went; all counts are the same", async () => {
  const code = `
import os, shutil
for name in ["node_modules/a", "my-env/lib", ".git", "charts"]: os.makedirs(name)
for n in range(300): open(f"node_modules/a/{n}.js", "w").close()
for parts in [["my-env", "pyvenv.cfg"], ["my-env", "lib", "a.py"], [".git", "HEAD"]]: open(os.path.join(*parts), "w").close()
for n in range(20): open(f"charts/{n}.svg", "w").close()
os.makedirs("empty"); os.rename("old.txt", "renamed.txt"); shutil.rmtree("gone"); open("kept.txt", "a").write("more")
`;
  await using model = await scriptedModel([run("python", code), "Done."]);
  using place = new Place();
  mkdirSync(join(place.folder, "gone/deep"), { recursive: true });
  for (const name of ["gone/a", "gone/deep/b", "old.txt", "kept.txt"]) writeFileSync(join(place.folder, name), name);
  await using terminal = new Terminal(place, use(model.openai), { columns: 110 });
  await terminal.prompt();
  terminal.enter("work");
  const counts = "327 files: 323 new, 1 changed, 2 deleted, 1 moved; 1 folder new";
  await terminal.see(`✓ ${counts} · /undo 1 takes it back`);
  await terminal.see(/Done\.[\s\S]*\n>$/);
  const shown = terminal.text();
  const rows = shown.slice(shown.indexOf(`\n${counts}\n`) + 1).split("\n\n")[0]!;
  expect(rows.replace(/ +/g, " ").split("\n")).toEqual([
    counts,
    "1 charts/ new · 20 files · block 1, python",
    "2 empty/ new · empty · block 1, python",
    "3 kept.txt changed · 12 B · txt, 1 line · block 1, python · kept.txtmore",
    "4 renamed.txt moved · was old.txt · 7 B · txt, 1 line · block 1, python · old.txt",
    " gone/ deleted · 2 files · block 1, python",
    "5 .git/ new · 1 file · block 1, python",
    "6 my-env/ new · 2 files · block 1, python",
    "7 node_modules/ new · 300 files · block 1, python",
  ]);
  terminal.enter("/effects");
  await terminal.see(`> /effects\n${counts}\n`);
  terminal.enter("/undo list");
  await terminal.see(new RegExp(`> /undo list\\n1 .* work\\n +${counts}`));
});

test("/open takes the numbers of the table", async () => {
  await using model = await scriptedModel([run("shell", "echo 1 > one.txt; echo 2 > two.txt"), "Done."]);
  using place = new Place({ DISPLAY: ":1" });
  const programs = join(place.folder, ".programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "xdg-open"), `#!/bin/sh\necho "$1" > "${place.folder}/opened"\n`, { mode: 0o755 });
  place.env.PATH = `${programs}:${place.env.PATH}`;
  await using terminal = new Terminal(place, use(model.openai));
  await terminal.prompt();
  terminal.enter("make files");
  await terminal.see(/2 two\.txt/);
  await terminal.prompt();
  terminal.enter("/open 1");
  await terminal.see(/Opened .*one\.txt/);
  const opened = () => {
    try {
      return readFileSync(join(place.folder, "opened"), "utf8").trim();
    } catch {
      return "";
    }
  };
  await expect.poll(opened).toBe(join(realpathSync(place.folder), "one.txt"));
  terminal.enter("/open 3");
  await terminal.see("There is no file 3: 2 were shown.");
});
