// `interpreter undo` and `interpreter redo` in a folder where steps were kept by the real store.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type StepFacts, takeNotes } from "../../src/machine/index.ts";
import { openUndoStore } from "../../src/machine/undo/store.ts";
import { Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

/** A folder in which steps can be made. */
class Workplace extends Place {
  readonly data = this.env.INTERPRETER_HOME!;
  readonly store = openUndoStore({ data: this.data, roots: [this.folder], limit: 1e9 });
  #sources = 0;

  constructor() {
    super();
    mkdirSync(this.data, { recursive: true });
  }

  get(name: string): string | undefined {
    const path = join(this.folder, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  put(name: string, content: string): void {
    writeFileSync(join(this.folder, name), content);
  }

  /** A step that gave these files this content, or deleted them. */
  async step(files: Record<string, string | undefined>, facts: Partial<StepFacts> = {}): Promise<number> {
    const changes = Object.entries(files).map(([name, content]) => {
      const path = join(this.folder, name);
      const source = join(this.data, `source-${++this.#sources}`);
      if (content !== undefined) writeFileSync(source, content);
      const has = content !== undefined;
      return { path, how: "whole" as const, had: existsSync(path), has, ...(has && { source }) };
    });
    const whole = { id: "x", language: "python", code: "open('a')", ...facts };
    return (await this.store.keep(whole, changes)).number!;
  }
}

/** Two turns of one conversation: the first makes a and b in two steps, the second changes a and deletes c. */
async function worked(): Promise<Workplace> {
  const place = new Workplace();
  place.put("c.txt", "c\n");
  const talk = { conversation: "talk-1" };
  await place.step({ "a.txt": "a\n" }, { ...talk, turn: 1, asked: "make a" });
  await place.step({ "b.txt": "b\n" }, { ...talk, turn: 1, asked: "make a" });
  await place.step({ "a.txt": "A\n", "c.txt": undefined }, { ...talk, turn: 2, asked: "change\tit all" });
  return place;
}

const all = (place: Workplace) => [place.get("a.txt"), place.get("b.txt"), place.get("c.txt")];

test("takes back the last turn, then the one before it, then says that there is no more", async () => {
  using place = await worked();
  expect(all(place)).toEqual(["A\n", "b\n", undefined]);
  expect(await place.run(["undo", "-y"])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^As before: a\.txt\nBrought back: c\.txt\n$/),
    stderr: "",
  });
  expect(all(place)).toEqual(["a\n", "b\n", "c\n"]);
  expect((await place.run(["undo", "-y"])).code).toBe(0);
  expect(all(place)).toEqual([undefined, undefined, "c\n"]);
  expect(await place.run(["undo", "-y"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Nothing that was done in this folder can be taken back.\n",
  });
  expect(takeNotes(place.data, "talk-1")).toEqual([
    expect.stringMatching(/taken back what blocks did to these files: .*a\.txt/),
    expect.stringMatching(/b\.txt/),
  ]);
});

test("redo puts back what was taken back last, in either spelling", async () => {
  using place = await worked();
  for (const _ of [1, 2]) await place.run(["undo", "-y"]);
  expect((await place.run(["redo", "-y"])).stdout).toMatch(/^Put back: (a\.txt, b\.txt|b\.txt, a\.txt)\n$/);
  expect(all(place)).toEqual(["a\n", "b\n", "c\n"]);
  // What it does again is a deletion, too, and is called one.
  const redone = await place.run(["undo", "--redo", "-y"]);
  expect([redone.code, redone.stdout]).toEqual([0, "Changed again: a.txt\nDeleted again: c.txt\n"]);
  expect(all(place)).toEqual(["A\n", "b\n", undefined]);
  const { code, stderr } = await place.run(["redo", "-y"]);
  expect([code, stderr]).toEqual([1, "Nothing was taken back in this folder that could be put back.\n"]);
});

test("one step alone, from a folder below; what is no step is told", async () => {
  using place = await worked();
  const below = join(place.folder, "deep/er");
  mkdirSync(below, { recursive: true });
  const inside = Object.assign(Object.create(place), { folder: below }) as Workplace;
  expect((await inside.run(["undo", "2", "-y"])).code).toBe(0);
  expect(all(place)).toEqual(["A\n", undefined, undefined]);
  const said = async (...args: string[]) => {
    const { code, stderr } = await place.run([...args, "-y"]);
    return [code, stderr.split("\n")[0]];
  };
  expect(await said("undo", "2")).toEqual([1, "Step 2 is taken back already."]);
  expect(await said("redo", "3")).toEqual([1, "Step 3 was not taken back."]);
  expect(await said("undo", "9")).toEqual([1, "There is no step 9 here."]);
  expect(await said("undo", "everything")).toEqual([2, 'interpreter undo does not take "everything".']);
  expect(await said("undo", "--leave_changed", "--overwrite-changed")).toEqual([
    2,
    "--leave_changed and --overwrite_changed say different things.",
  ]);
  expect((await said("redo", "2"))[0]).toBe(0);
});

test("nothing is done where nobody can be asked", async () => {
  using place = await worked();
  const { code, stderr } = await place.run(["undo"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("-y does it without asking.")]);
  expect(place.get("a.txt")).toBe("A\n");
});

test("a file that was changed since is never overwritten silently", async () => {
  using place = await worked();
  place.put("a.txt", "mine\n");
  const refused = await place.run(["undo", "-y"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^Nothing was taken back: .* would be lost\.\n {2}a\.txt {2}changed since/);
  expect(refused.stderr).toContain("--leave_changed leaves them as they are, --overwrite_changed overwrites them.");
  expect(all(place)).toEqual(["mine\n", "b\n", undefined]);
  const left = await place.run(["undo", "-y", "--leave_changed"]);
  expect(left.code).toBe(0);
  expect(left.stdout).toMatch(/^Brought back: c\.txt\nLeft as they are, .*:\n {2}a\.txt/);
  expect(all(place)).toEqual(["mine\n", "b\n", "c\n"]);
});

test("it is overwritten when that is what is wanted", async () => {
  using place = await worked();
  place.put("a.txt", "mine\n");
  const { code, stdout } = await place.run(["undo", "-y", "--overwrite_changed"]);
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("Left as they are")]);
  expect(all(place)).toEqual(["a\n", "b\n", "c\n"]);
});

test("the list is fields in a pipe and objects with --json, newest first", async () => {
  using place = await worked();
  await place.run(["undo", "-y"]);
  const { stdout, code } = await place.run(["undo", "--list"]);
  expect(code).toBe(0);
  const fields = stdout
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  expect(fields.map(([number, , state, files, , what, asked]) => [number, state, files, what, asked])).toEqual([
    ["3", "undone", "2", "2 files: 1 changed, 1 deleted", "change it all"],
    ["2", "kept", "1", "1 file new", "make a"],
    ["1", "kept", "1", "1 file new", "make a"],
  ]);
  const json = await place.run(["undo", "list", "--json"]);
  expect(
    json.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))[2],
  ).toMatchObject({
    number: 1,
    state: "kept",
    facts: { turn: 1, asked: "make a" },
    files: [{ path: join(place.folder, "a.txt"), change: "created" }],
    when: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  using empty = new Place();
  expect(await empty.run(["undo", "--list"])).toEqual({ code: 1, stdout: "", stderr: "" });
});

test.each([40, 120])(
  "on a terminal of %d columns a person sees the table, is asked, and chooses about conflicts",
  async (columns) => {
    using place = await worked();
    {
      await using screen = new Terminal(place, ["undo", "--list"], { columns });
      expect(await screen.ended()).toBe(0);
      expect(screen.text()).toMatch(
        columns === 40
          ? /3 {2}change it all\n {3}2 files: 1 changed, 1 deleted\n2 {2}make a\n {3}1 file new\n1 {2}"\n {3}1 file new/
          : /3 .*2 files: 1 changed, 1 deleted +change it all\n2 .*1 file new +make a\n1 .*1 file new +"/,
      );
      for (const line of screen.text().split("\n")) expect(line.length).toBeLessThan(columns);
    }
    place.put("a.txt", "mine\n");
    {
      await using screen = new Terminal(place, ["undo"], { columns });
      await screen.see(/Changes back: a\.txt\nBrings back: c\.txt\nTake this back\? y\/n:/);
      screen.enter("maybe");
      await screen.see("y for yes, n for no:");
      screen.enter("n");
      expect(await screen.ended()).toBe(130);
    }
    {
      await using screen = new Terminal(place, ["undo"], { columns });
      await screen.see("Take this back? y/n:");
      screen.enter("yes please");
      await screen.see("a.txt");
      await screen.see("n does nothing:");
      screen.enter("what");
      await screen.see(/And now\?[\s\S]*And now\?/);
      screen.enter("n");
      expect(await screen.ended()).toBe(1);
      expect(place.get("a.txt")).toBe("mine\n");
    }
    await using screen = new Terminal(place, ["undo"], { columns });
    await screen.see("Take this back? y/n:");
    screen.enter("y");
    await screen.see("n does nothing:");
    screen.enter("o");
    expect(await screen.ended()).toBe(0);
    expect(all(place)).toEqual(["a\n", "b\n", "c\n"]);
  },
);

test("a folder that was added with --workspace is watched, too, and what was done there is taken back from there", async () => {
  using place = new Place();
  using other = new Place();
  const code = `open(${JSON.stringify(join(other.folder, "out.txt"))}, "w").write("x")`;
  await using model = await scriptedModel([run("python", code), "Done."]);
  const use = ["--model", "openai-chat/scripted", "--api_base", model.openai];
  const ran = await place.run(["-y", "--workspace", other.folder, ...use, "go"]);
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  expect(ran.stdout).toContain("1 file new · interpreter undo 1 takes it back");
  expect(readFileSync(join(other.folder, "out.txt"), "utf8")).toBe("x");
  other.env.INTERPRETER_HOME = place.env.INTERPRETER_HOME;
  expect(await other.run(["undo", "-y"])).toEqual({ code: 0, stdout: "Deleted: out.txt\n", stderr: "" });
  expect(existsSync(join(other.folder, "out.txt"))).toBe(false);
  const wrong = await place.run(["--workspace", "nothing", ...use, "go"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--workspace nothing is no folder.")]);
});
