// The chat with steps that are kept, discarded, taken back and put back.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["--model", "openai-chat/scripted", "--api_base", url];
const make = (name: string, text: string) =>
  run("python", `open(${JSON.stringify(name)}, "w").write(${JSON.stringify(text)})`);

class Desk extends Place {
  get(name: string): string | undefined {
    const path = join(this.folder, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  put(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }
}

test("asked about effects: kept, discarded with a sentence for the model, kept in part", async () => {
  await using model = await scriptedModel([
    run("python", "print(6 * 7)"),
    make("a.txt", "one\n"),
    make("b.txt", "two\n"),
    run("python", "open('c.txt', 'w').write('c'); open('d.txt', 'w').write('d')"),
    "Done.",
  ]);
  using place = new Desk();
  await using screen = new Terminal(place, ["--approve", "effects", ...use(model.openai)]);
  await screen.prompt();
  expect(screen.text()).toContain("Code runs at once; what it did waits for your yes.");
  screen.enter("go");
  // The first block only computes: nothing is asked about it.
  await screen.see(/│ 42[\s\S]*1 file new\n1 new a\.txt {2}txt, 1 line, 4 B\n[\s\S]*Keep\? y n d s a \?/);
  expect(place.get("a.txt")).toBeUndefined();
  screen.enter("y");
  await screen.see(/✓ 1 file new · \/undo 1 takes it back\n\npython\n/);
  await screen.see(/1 new b\.txt[\s\S]*Keep\? [^\n]*:$/);
  expect(place.get("a.txt")).toBe("one\n");
  screen.enter("n, call it z.txt");
  await screen.see("Discarded: 1 file new. Files are as they were before the block.");
  await screen.see(/2 files new[\s\S]*Keep\? [^\n]*:$/);
  expect(place.get("b.txt")).toBeUndefined();
  screen.enter("s d*");
  await screen.see("Kept only d.txt (1 file new) · discarded 1 file new · /undo 2 takes it back");
  await screen.see("Done.");
  expect([place.get("c.txt"), place.get("d.txt")]).toEqual([undefined, "d"]);
  const told = model.requests.map(({ text }) => text);
  expect(told[3]).toContain("call it z.txt");
  expect(told[3]).toContain("discarded");
  expect(told[4]).toMatch(/kept only/);
});

test.skipIf(whyNoLayer())("what may not be kept is told as refused, at the question and with /effects", async () => {
  const code = "git init -q repo; echo x > repo/.git/hooks/pre-commit";
  await using model = await scriptedModel([run("shell", code), "Done."]);
  using place = new Desk();
  await using screen = new Terminal(place, ["--approve", "effects", ...use(model.openai)], { columns: 200 });
  await screen.prompt();
  screen.enter("go");
  const refused = /! repo\/\.git\/hooks\/pre-commit was not kept: git would run it by itself, outside of the sandbox\./;
  await screen.see(/new +repo\/ [\s\S]*Keep\? [^\n]*:$/);
  expect(screen.text()).toMatch(refused);
  expect(place.get("repo/.git/hooks/pre-commit")).toBeUndefined();
  screen.enter("y");
  await screen.see("Done.");
  expect(place.get("repo/.git/HEAD")).toContain("ref:");
  expect(place.get("repo/.git/hooks/pre-commit")).toBeUndefined();
  await screen.prompt();
  screen.enter("/effects");
  await screen.see(/\/effects\n[\s\S]*new +repo\/ [\s\S]*\/diff 1 shows the differences/);
  expect(screen.text().split("/effects")[1]).toMatch(refused);
});

test("Ctrl-C at the question discards what a block did, also of one that was stopped; it is said, and the chat goes on", async () => {
  await using model = await scriptedModel([
    run(
      "python",
      "import time\nopen('half.txt', 'w').write('h')\nprint('begun', end='', flush=True)\ntime.sleep(1000)",
    ),
    "Go on?",
  ]);
  using place = new Desk();
  await using screen = new Terminal(place, ["--approve", "effects", ...use(model.openai)]);
  await screen.prompt();
  screen.enter("begin");
  await screen.see("│ begun");
  screen.type("\x03");
  await screen.see(/│ begun\n│ Traceback[\s\S]*│ \[Interrupted by the user\.\]\n1 file new\n[\s\S]*Keep\? [^\n]*:$/);
  screen.type("\x03");
  await screen.see(/Discarded: 1 file new\. Files are as they were before the block\.\nStopped\.\n[\s\S]*\n>$/);
  expect(place.get("half.txt")).toBeUndefined();
  screen.enter("and now");
  await screen.see("Go on?");
});

test("/undo takes back the turn with its files, /redo puts it back; a step alone; the list; what a step did", async () => {
  await using model = await scriptedModel([
    make("a.txt", "one\n"),
    run("python", "open('a.txt', 'a').write('two\\n'); open('b.txt', 'w').write('b')"),
    "Done.",
  ]);
  using place = new Desk({ PAGER: "cat" });
  await using screen = new Terminal(place, ["-y", ...use(model.openai)], { columns: 110 });
  await screen.prompt();
  screen.enter("make them");
  await screen.see("/undo 2 takes it back");
  await screen.prompt();
  screen.enter("/effects");
  await screen.see(/2 files: 1 new, 1 changed\n1 changed a\.txt {2}\+1 −0 lines\n2 new {5}b\.txt/);
  await screen.see("/undo 2 takes it back, /diff 2 shows the differences.");
  screen.enter("/diff 2");
  await screen.see(/1 changed: a\.txt\n--- a\.txt\n\+\+\+ a\.txt\n@@ -1,1 \+1,2 @@\n one\n\+two\n/);
  await screen.prompt();
  screen.enter("/undo list");
  await screen.see(/2 .* 2 files: 1 new, 1 changed +make them\n1 .* 1 file new +"\n/);
  screen.enter("/undo 2");
  await screen.see("As before: a.txt\nDeleted: b.txt\n");
  expect([place.get("a.txt"), place.get("b.txt")]).toEqual(["one\n", undefined]);
  screen.enter("/redo 2");
  await screen.see("Changed again: a.txt\nPut back: b.txt\n");
  expect([place.get("a.txt"), place.get("b.txt")]).toEqual(["one\ntwo\n", "b"]);
  screen.enter("/undo");
  await screen.see(/Taken back: make them\nDeleted: (a\.txt, b\.txt|b\.txt, a\.txt)\n/);
  await screen.see("Variables, and whatever it did elsewhere, stay as it left them.");
  expect([place.get("a.txt"), place.get("b.txt")]).toEqual([undefined, undefined]);
  screen.enter("/redo");
  await screen.see(/Put back: make them\nPut back: (a\.txt, b\.txt|b\.txt, a\.txt)\n/);
  expect([place.get("a.txt"), place.get("b.txt")]).toEqual(["one\ntwo\n", "b"]);
  screen.enter("/undo 9");
  await screen.see("There is no step 9 here.");
  screen.enter("/undo it");
  await screen.see('"it" is no step.');
});

test("a file that the person changed since is asked about before a turn is taken back", async () => {
  await using model = await scriptedModel([make("a.txt", "one\n"), "Done."]);
  using place = new Desk();
  await using screen = new Terminal(place, ["-y", ...use(model.openai)]);
  await screen.prompt();
  screen.enter("make it");
  await screen.see("takes it back");
  await screen.see(/Done\.[\s\S]*\n>$/);
  place.put("a.txt", "mine\n");
  screen.enter("/undo");
  await screen.see(/Nothing was taken back[\s\S]*a\.txt {2}changed since[\s\S]*n does nothing:/);
  screen.type("\x03");
  await screen.see("All is as it was.");
  expect(screen.text()).not.toContain("to leave");
  await screen.prompt();
  screen.enter("/undo");
  await screen.see(/All is as it was[\s\S]*n does nothing:/);
  screen.enter("n");
  await screen.see(/All is as it was[\s\S]*All is as it was/);
  expect(place.get("a.txt")).toBe("mine\n");
  await screen.prompt();
  screen.enter("/undo");
  await screen.see(/All is as it was[\s\S]*All is as it was[\s\S]*n does nothing:/);
  screen.enter("o");
  await screen.see(/Taken back: make it\nDeleted: a\.txt\n/);
  expect(place.get("a.txt")).toBeUndefined();
});

test("/approve says when one is asked, and changes it", async () => {
  await using model = await scriptedModel([make("a.txt", "one\n"), "Done."]);
  using place = new Desk();
  await using screen = new Terminal(place, use(model.openai));
  await screen.prompt();
  screen.enter("/approve");
  await screen.see("Each block waits for your yes.");
  screen.enter("/approve effects");
  await screen.see("Code runs at once, and what it did waits for your yes.");
  screen.enter("/approve sometimes");
  await screen.see("/approve code, /approve effects, or /approve never");
  screen.enter("go");
  await screen.see("Keep?");
  screen.enter("a");
  await screen.see("From now on, what code does is kept without asking.");
  await screen.see("Done.");
  screen.enter("%auto_run");
  await screen.see("Code runs without asking.");
});
