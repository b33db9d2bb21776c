import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Deliverables, InterpreterOptions } from "../../src/interpreter/index.ts";
import type { Chunk } from "../../src/messages/index.ts";
import { startInterpreter, type TestInterpreter } from "../support/interpreter.ts";
import { reply, run, type Script } from "../support/scripted-model.ts";

const start = (script: Script, options: InterpreterOptions = {}) => startInterpreter(script, options);

/** What the turn ended with. */
async function tell(it: TestInterpreter, words = "go"): Promise<Deliverables | undefined> {
  const { chunks } = await it.tell(words);
  const found = chunks.filter(({ type }) => type === "deliverables");
  expect(found.length).toBeLessThan(2);
  return found[0]?.content as unknown as Deliverables | undefined;
}

const brief = (told: Deliverables | undefined) =>
  told?.files.map(({ name, change, kind, block }) => [name, change, kind, block].join(" | "));

test("a turn ends with the files it made, changed and deleted, and the block that did it", async () => {
  await using it = await start([
    run("shell", "printf 'a,b\\n1,2\\n3,4\\n' > table.csv; mkdir sub; echo hello > sub/note.txt"),
    run("python", "open('old.txt', 'a').write('more\\n')"),
    run("shell", "rm gone.txt; echo again >> sub/note.txt"),
    "Done.",
  ]);
  for (const name of ["old.txt", "gone.txt", "same.txt"]) writeFileSync(join(it.folder, name), "one\n");
  const told = await tell(it);
  expect(brief(told)).toEqual([
    "table.csv | new | csv 2 rows × 2 columns | 1",
    "old.txt | changed | txt, 2 lines | 2",
    "sub/note.txt | new | txt, 2 lines | 3",
    "gone.txt | deleted |  | 3",
  ]);
  expect(told!.files[0]).toMatchObject({
    path: join(it.folder, "table.csv"),
    size: 12,
    preview: "a,b",
    language: "shell",
    id: expect.any(String),
  });
  expect(told!.more).toBe(0);
  expect(told!.unwatched).toBeUndefined();
});

test("a turn without code, and one that changes nothing, say nothing", async () => {
  await using it = await start(["Hello.", run("shell", "ls; cat same.txt"), "Nothing new."]);
  writeFileSync(join(it.folder, "same.txt"), "one\n");
  expect(await tell(it)).toBeUndefined();
  expect(await tell(it)).toBeUndefined();
});

test("what was made and deleted in the same turn is no result", async () => {
  await using it = await start([run("shell", "echo x > scratch.txt"), run("shell", "rm scratch.txt"), "Done."]);
  expect(await tell(it)).toBeUndefined();
});

test("each turn speaks of its own files, and not of what the person did in between", async () => {
  await using it = await start([run("shell", "echo 1 > one.txt"), "One.", run("shell", "echo 2 > two.txt"), "Two."]);
  expect(brief(await tell(it))).toEqual(["one.txt | new | txt, 1 line | 1"]);
  writeFileSync(join(it.folder, "mine.txt"), "mine");
  expect(brief(await tell(it))).toEqual(["two.txt | new | txt, 1 line | 1"]);
});

test("a file elsewhere that the code names is seen, and a hidden folder or an environment is not looked into", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "deliverables-"));
  await using it = await start([
    run("python", `open("${elsewhere}/result.json", "w").write("{}")`),
    run("shell", `echo x > ${elsewhere}/bare.txt; mkdir -p .git venv; echo x > .git/index; echo x > venv/lib.py`),
    run("shell", "echo x > .git/named.txt; cd .git; echo x > unnamed; cd .."),
    "Done.",
  ]);
  expect(brief(await tell(it))).toEqual([
    `${elsewhere}/result.json | new | json, 1 line | 1`,
    `${elsewhere}/bare.txt | new | txt, 1 line | 2`,
    ".git/index | new | text, 1 line | 2",
    "venv/lib.py | new | py, 1 line | 2",
    ".git/named.txt | new | txt, 1 line | 3",
  ]);
  rmSync(elsewhere, { recursive: true });
});

test("an input that is read and later overwritten gets a warning; a result that is written again does not", async () => {
  await using it = await start([
    run("python", "text = open('data.csv').read()"),
    run("python", "open('data.csv', 'w').write(text.upper()); open('new.csv', 'w').write('x')"),
    run("python", "open('new.csv', 'w').write('xy')"),
    "Done.",
    run("python", "open('data.csv', 'w').write('again')"),
    "Done again.",
  ]);
  writeFileSync(join(it.folder, "data.csv"), "a,b\n");
  const told = await tell(it);
  expect(told!.files.map(({ name, warning }) => [name, warning])).toEqual([
    ["data.csv", "It was there before, block 1 read or named it, and block 2 has overwritten it."],
    ["new.csv", undefined],
  ]);
  expect((await tell(it))!.files.map(({ warning }) => warning)).toEqual([undefined]);
});

test("an input that one block reads and overwrites, or deletes in a later turn, gets a warning, too", async () => {
  await using it = await start([
    run("python", "text = open('a.txt').read()\nopen('a.txt', 'w').write(text + '!')\nopen('b.txt').read()"),
    "Done.",
    run("shell", "rm b.txt; echo new > c.txt"),
    "Done.",
  ]);
  for (const name of ["a.txt", "b.txt", "c.txt"]) writeFileSync(join(it.folder, name), "one\n");
  expect((await tell(it))!.files.map(({ warning }) => warning)).toEqual([
    "It was there before, block 1 read or named it, and block 1 has overwritten it.",
  ]);
  const later = (await tell(it))!.files;
  expect(later.map(({ name, warning }) => [name, warning])).toEqual([
    ["b.txt", "It was there before, an earlier turn read or named it, and block 1 has deleted it."],
    ["c.txt", undefined],
  ]);
});

test("kinds of files are told by what is in them, and secrets are not shown", async () => {
  const code = `
import zipfile, base64
open("quoted.csv", "w").write('name;note\\n"a";"two\\nlines"\\n"b";""\\n')
png = bytes([137,80,78,71,13,10,26,10,0,0,0,13]) + b"IHDR" + (800).to_bytes(4,"big") + (600).to_bytes(4,"big") + bytes(5)
open("chart.png", "wb").write(png)
with zipfile.ZipFile("book.xlsx", "w") as book:
    for sheet in (1, 2): book.writestr(f"xl/worksheets/sheet{sheet}.xml", "<x/>")
with zipfile.ZipFile("some.zip", "w") as z: z.writestr("a", "b")
open("paper.pdf", "w").write("%PDF-1.4\\n1 0 obj << /Type /Pages /Kids [] /Count 3 >>\\n")
open("data.bin", "wb").write(bytes(100))
open("empty.txt", "w").close()
open("my.env", "w").write("TOKEN=very-secret\\n")
open("large.csv", "w").write("x,y\\n" + "1,2\\n" * 3_000_000)
`;
  await using it = await start([run("python", code), "Done."]);
  const told = (await tell(it))!;
  const kinds = Object.fromEntries(told.files.map(({ name, kind }) => [name, kind]));
  expect(kinds).toEqual({
    "quoted.csv": "csv 2 rows × 2 columns",
    "chart.png": "png 800×600",
    "book.xlsx": "xlsx, 2 sheets",
    "some.zip": "zip, 1 file",
    "paper.pdf": "pdf, 3 pages",
    "data.bin": "bin",
    "empty.txt": "txt, 0 lines",
    "my.env": "env, 1 line",
    "large.csv": expect.stringMatching(/^csv more than [\d,]+ rows × 2 columns$/),
  });
  expect(JSON.stringify(told)).not.toContain("very-secret");
});

test("a folder with many files is watched in its first levels, and that is said", async () => {
  await using it = await start([
    run("shell", "echo x > top.txt; echo x > deep/1/inner.txt; echo x > deep/9/named"),
    "Done.",
  ]);
  for (let folder = 0; folder < 12; folder++) {
    mkdirSync(join(it.folder, "deep", String(folder)), { recursive: true });
    for (let file = 0; file < 500; file++) writeFileSync(join(it.folder, "deep", String(folder), `${file}`), "");
  }
  const told = (await tell(it))!;
  expect(told.files.map(({ name }) => name).sort()).toEqual(["deep/1/inner.txt", "deep/9/named", "top.txt"]);
  expect(told.unwatched).toBe("This folder has many files: only its first 2 levels were watched.");
});

test("many files are counted, and links are not followed", async () => {
  await using it = await start([run("shell", "for i in $(seq 130); do echo $i > f$i.txt; done"), "Done."]);
  symlinkSync("/", join(it.folder, "everything"));
  const told = (await tell(it))!;
  expect([told.files.length, told.more]).toEqual([100, 30]);
});

test("a block that is interrupted, and a turn that fails, still say what they left; an error stays the last word", async () => {
  await using it = await start([
    run("shell", "echo 1 > left.txt; sleep 100"),
    run("shell", "echo 2 > before.txt"),
    reply({ status: 400, body: { error: { message: "no such thing" } } }),
  ]);
  const seen: Chunk[] = [];
  await it.tell("go", (chunk) => {
    seen.push(chunk);
    if (chunk.type === "console" && chunk.start) setTimeout(() => it.interpreter.interrupt(), 300);
  });
  expect(seen.at(-1)!.content).toMatchObject({ files: [{ name: "left.txt" }] });
  const { chunks, end } = await it.tell("again");
  expect(end).toBe("failed");
  expect(chunks.slice(-2).map(({ type }) => type)).toEqual(["deliverables", "error"]);
});

test("nothing is watched when it is not wanted", async () => {
  await using it = await start([run("shell", "echo 1 > one.txt"), "Done."], { deliverables: false });
  expect(await tell(it)).toBeUndefined();
  expect(readFileSync(join(it.folder, "one.txt"), "utf8")).toBe("1\n");
});
