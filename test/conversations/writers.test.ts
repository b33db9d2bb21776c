import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConversationLog, Keeper, loadConversation, type Told } from "../../src/conversations/index.ts";
import type { Message } from "../../src/messages/index.ts";
import { finish, Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";

const message = (content: string): Message => ({ role: "user", type: "message", content });
const contents = (folder: string) => loadConversation(folder)!.messages.map(({ content }) => content);
const locks = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("lock-"));

/** A conversation of two turns in a place of its own, and keepers of it. */
function conversationIn(place: Place) {
  const conversations = join(place.folder, "conversations");
  const first = new Keeper(conversations, "/", undefined, () => {});
  first.add({ message: message("one") });
  first.add({ message: message("two") });
  first.close();
  const told: Told[] = [];
  const open = () => new Keeper(conversations, "/", loadConversation(first.folder), (each) => told.push(each));
  return { folder: first.folder, id: first.id, told, open };
}

test("a conversation that is gone on with stays the same one", () => {
  using place = new Place();
  const { folder, told, open } = conversationIn(place);
  const again = open();
  again.add({ message: message("three") });
  expect(locks(folder)).toHaveLength(1);
  again.close();
  expect(again.folder).toBe(folder);
  expect([contents(folder), locks(folder), told]).toEqual([["one", "two", "three"], [], []]);
});

test("the second that has a conversation open goes on with a copy, and says so; neither loses anything", () => {
  using place = new Place();
  const { folder, id, told, open } = conversationIn(place);
  const [here, there] = [open(), open()];
  here.add({ message: message("here") });
  there.add({ message: message("there") });
  here.add({ message: message("here again") });
  there.add({ message: message("there again") });
  here.close();
  there.close();
  expect(contents(folder)).toEqual(["one", "two", "here", "here again"]);
  expect(contents(there.folder)).toEqual(["one", "two", "there", "there again"]);
  expect(loadConversation(there.folder)!.header.from).toEqual({ conversation: id, turns: 2 });
  expect(told).toEqual([
    {
      code: "copied",
      content: `The conversation goes on as a copy, because it is open in another process (${process.pid}).`,
      hint: `The copy is ${there.id}; ${id} stays as it is.`,
    },
  ]);
  expect([locks(folder), locks(there.folder)]).toEqual([[], []]);
});

test("one that was loaded before somebody else went on with it goes on as a copy, too", () => {
  using place = new Place();
  const { folder, told, open } = conversationIn(place);
  const [late, early] = [open(), open()];
  early.add({ message: message("early") });
  early.close();
  late.add({ message: message("late") });
  late.close();
  expect(contents(folder)).toEqual(["one", "two", "early"]);
  expect(contents(late.folder)).toEqual(["one", "two", "late"]);
  expect(told[0]!.content).toMatch(/somebody else has gone on with it/);
});

test("a title that was given in the meantime is no reason for a copy", () => {
  using place = new Place();
  const { folder, told, open } = conversationIn(place);
  const late = open();
  const log = new ConversationLog(folder, loadConversation(folder)!.header, loadConversation(folder));
  log.title("numbers");
  log.close();
  late.add({ message: message("late") });
  late.close();
  expect(contents(folder)).toEqual(["one", "two", "late"]);
  expect(told).toEqual([]);
});

test("a conversation that was deleted in the meantime goes on as a copy, and does not come back half", () => {
  using place = new Place();
  const { folder, told, open } = conversationIn(place);
  const late = open();
  rmSync(folder, { recursive: true });
  late.add({ message: message("late") });
  late.close();
  expect(contents(late.folder)).toEqual(["one", "two", "late"]);
  expect(existsSync(folder)).toBe(false);
  expect(told[0]!.content).toMatch(/because it was deleted/);
});

test("a log of a newer version is read and never added to: it goes on as a copy", () => {
  using place = new Place();
  const { folder, told, open } = conversationIn(place);
  const path = join(folder, "log.jsonl");
  const newer = readFileSync(path, "utf8").replace('"version":1', '"version":2');
  writeFileSync(path, newer);
  const keeper = open();
  keeper.add({ message: message("three") });
  keeper.close();
  expect(readFileSync(path, "utf8")).toBe(newer);
  expect(contents(keeper.folder)).toEqual(["one", "two", "three"]);
  expect(loadConversation(folder)!.problems).toEqual([expect.stringContaining("newer version (2)")]);
  expect(told[0]!.content).toMatch(/a newer version of this program/);
});

test("what a killed process left behind keeps nobody out, nor does another process with its number", () => {
  using place = new Place();
  const { folder, told, open } = conversationIn(place);
  const machine = readLock(open, folder).split("@")[1];
  writeFileSync(join(folder, `lock-999999-boot.1-abc@${machine}`), "");
  writeFileSync(join(folder, `lock-${process.pid}-boot.1-abc@${machine}`), "");
  const again = open();
  again.add({ message: message("four") });
  again.close();
  expect([again.folder, locks(folder), told]).toEqual([folder, [], []]);
  writeFileSync(join(folder, "lock-1-boot.1-abc@elsewhere"), "");
  const third = open();
  third.add({ message: message("five") });
  third.close();
  expect(third.folder).not.toBe(folder);
  expect(told[0]!.content).toMatch(/process 1 on elsewhere, unless .*lock-1-boot\.1-abc@elsewhere was left behind/);
});

function readLock(open: () => Keeper, folder: string): string {
  const keeper = open();
  keeper.add({ message: message("three") });
  const [name] = locks(folder);
  keeper.close();
  return name!;
}

test("what several processes append at once is never torn", async () => {
  using place = new Place();
  const folder = join(place.folder, "together");
  new ConversationLog(folder, { conversation: "together", version: 1, created: "", cwd: "/" }).close();
  const program = `
    import { ConversationLog } from ${JSON.stringify(join(import.meta.dirname, "../../src/conversations/log.ts"))};
    const log = new ConversationLog(${JSON.stringify(folder)}, { conversation: "together", version: 1, created: "", cwd: "/" });
    const who = process.argv[1];
    for (let n = 0; n < 400; n++)
      log.append({ role: "user", type: "message", content: \`\${who} \${n} \${who.repeat(n % 7 === 0 ? 30000 : 50)}\` });
    log.close();`;
  const args = ["--experimental-strip-types", "--no-warnings", "--input-type=module", "-e", program];
  const ended = ["a", "b", "c"].map((who) => finish(spawn(process.execPath, [...args, who])));
  expect((await Promise.all(ended)).map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, ""]));
  const { messages, problems } = loadConversation(folder)!;
  expect(problems).toEqual([]);
  for (const who of ["a", "b", "c"]) {
    const own = messages.filter(({ content }) => content.startsWith(who));
    expect(own.map(({ content }) => Number(content.split(" ")[1]))).toEqual(Array.from({ length: 400 }, (_, n) => n));
    expect(own.every(({ content }) => new Set(content.split(" ")[2]).size === 1)).toBe(true);
  }
});

test("two programs on one conversation: the second says that it goes on with a copy", async () => {
  using place = new Place();
  const waiting = join(place.folder, "go");
  const block = `import os, time\nwhile not os.path.exists(${JSON.stringify(waiting)}): time.sleep(0.02)`;
  await using model = await scriptedModel((request, index) => {
    if (index === 0) return "Hello.";
    if (request.text.includes("second")) return "Two.";
    return request.text.includes("time.sleep") ? "One." : run("python", block);
  });
  const use = ["-y", "--model", "openai-chat/scripted", "--api_base", model.openai];
  await place.run([...use, "hello"]);
  const folder = join(place.folder, ".home", "conversations");
  const [id] = readdirSync(folder);
  const first = place.start([...use, "--continue", "first"]);
  const firstEnded = finish(first);
  while (locks(join(folder, id!)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const second = await place.run([...use, "--continue", "second"]);
  expect(second.stdout).toContain(`The conversation goes on as a copy, because it is open in another process`);
  expect(second.stdout).toContain("Two.");
  writeFileSync(waiting, "");
  expect((await firstEnded).stdout).toContain("One.");
  const [copy] = readdirSync(folder).filter((name) => name !== id);
  const note = expect.stringContaining("resumed");
  const copied = contents(join(folder, copy!));
  expect(contents(join(folder, id!))).toEqual(["hello", "Hello.", note, "first", block, "", "One."]);
  expect([...copied.slice(0, 2), ...copied.slice(-3)]).toEqual(["hello", "Hello.", note, "second", "Two."]);
  expect(copied).not.toContain("One.");
});
