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
    const rows = text.slice(text.indexOf("files:")).split("\n");
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
