import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConversationLog, loadConversation } from "../../src/conversations/index.ts";
import type { Chunk, Message } from "../../src/messages/index.ts";
import { finish, Place } from "../support/program.ts";
import { reply, run, say, scriptedModel } from "../support/scripted-model.ts";

const use = (url: string) => ["-y", "--model", "openai-chat/scripted", "--api_base", url];

function conversations(place: Place): string {
  return join(place.folder, ".home", "conversations");
}

function onlyFolder(place: Place): string {
  const [name] = readdirSync(conversations(place));
  return join(conversations(place), name!);
}

test("a conversation is on disk from its first message, for its owner only, and only ever appended", async () => {
  await using model = await scriptedModel([run("python", "print(1)"), "One."]);
  using place = new Place();
  await place.run([...use(model.openai), "say one"]);
  const folder = onlyFolder(place);
  const loaded = loadConversation(folder)!;
  expect(loaded.messages.map(({ content }) => content)).toEqual(["say one", "print(1)", "1\n", "One."]);
  expect(loaded.header).toMatchObject({ version: 1, cwd: place.folder });
  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(statSync(join(folder, "log.jsonl")).mode & 0o077).toBe(0);
});

test("--continue goes on where the last conversation in this folder stopped", async () => {
  await using model = await scriptedModel(["My name is Ada.", "I said Ada."]);
  using place = new Place();
  await place.run([...use(model.openai), "who are you?"]);
  const before = readFileSync(join(onlyFolder(place), "log.jsonl"), "utf8");
  const { stdout } = await place.run([...use(model.openai), "--continue", "what did you say?"]);
  expect(stdout).toContain("I said Ada.");
  expect(model.requests[1]!.body.messages.slice(1)).toEqual([
    { role: "user", content: "who are you?" },
    { role: "assistant", content: "My name is Ada." },
    { role: "user", content: expect.stringMatching(/^\(The conversation was resumed[\s\S]*what did you say\?$/) },
  ]);
  expect(readdirSync(conversations(place))).toHaveLength(1);
  expect(readFileSync(join(onlyFolder(place), "log.jsonl"), "utf8").startsWith(before)).toBe(true);
});

test("kill -9 in the middle of a sentence loses nothing that was shown", async () => {
  await using model = await scriptedModel([
    reply("This sentence goes on and on and never comes to its end", { chunk: 5, stallAfter: 6 }),
    "Back again.",
  ]);
  using place = new Place();
  const child = place.start([...use(model.openai), "--json", "talk"]);
  let shown = "";
  child.stdout!.on("data", (text) => {
    for (const line of String(text).trim().split("\n")) {
      const chunk = JSON.parse(line) as Chunk;
      if (chunk.type === "message" && typeof chunk.content === "string") shown += chunk.content;
    }
    if (shown.length >= 30) child.kill("SIGKILL");
  });
  await finish(child);
  const last = loadConversation(onlyFolder(place))!.messages.at(-1)!;
  expect(last).toMatchObject({ role: "assistant", type: "message", incomplete: true, content: shown });
  const { stdout } = await place.run([...use(model.openai), "--continue", "go on"]);
  expect(stdout).toContain("Back again.");
  expect(model.requests[1]!.text).toContain(shown);
  const contents = loadConversation(onlyFolder(place))!.messages.map(({ content }) => content);
  expect(contents).toEqual(["talk", shown, expect.stringContaining("resumed"), "go on", "Back again."]);
});

test("kill -9 while code runs: its output so far is there, and the model hears that the step was cut off", async () => {
  await using model = await scriptedModel([
    reply(say("Running."), run("python", "print('some output', flush=True)\nimport time; time.sleep(1000)")),
    "I see.",
  ]);
  using place = new Place();
  const child = place.start([...use(model.openai), "--json", "work"]);
  child.stdout!.on("data", (text) => {
    if (String(text).includes('"output","content":"some output')) child.kill("SIGKILL");
  });
  await finish(child);
  const { messages } = loadConversation(onlyFolder(place))!;
  expect(messages.map(({ type }) => type)).toEqual(["message", "message", "code", "console"]);
  expect(messages.at(-1)).toMatchObject({ content: "some output\n", incomplete: true });
  await place.run([...use(model.openai), "--continue", "what happened?"]);
  expect(model.requests[1]!.text).toContain("some output");
});

const header = (conversation: string) => ({ conversation, version: 1, created: "", cwd: "/" });
const contents = (folder: string) => loadConversation(folder)!.messages.map(({ content }) => content);
const message = (content: string): Message => ({ role: "user", type: "message", content });

test("a log cut at any byte loads what it can and says what it could not", () => {
  using place = new Place();
  const folder = join(place.folder, "cut");
  const log = new ConversationLog(folder, header("cut"));
  for (const content of ["one", "zwei ✓", "three"]) log.append(message(content));
  log.close();
  const path = join(folder, "log.jsonl");
  const whole = readFileSync(path);
  const first = whole.indexOf(0x0a) + 1;
  for (let size = whole.length; size > 0; size--) {
    writeFileSync(path, whole);
    truncateSync(path, size);
    const { messages, problems, header: begun } = loadConversation(folder)!;
    expect(messages.map(({ content }) => content)).toEqual(["one", "zwei ✓", "three"].slice(0, messages.length));
    expect(begun.conversation).toBe("cut");
    const partial = whole[size - 1] !== 0x0a && whole[size] !== 0x0a;
    expect(problems.length).toBe(size < first - 1 ? 2 : partial ? 1 : 0);
    // Whatever was cut off, it can be gone on with, and what follows is read.
    const again = new ConversationLog(folder, begun, loadConversation(folder));
    again.append(message("after"));
    again.close();
    expect(contents(folder)).toEqual([...messages.map(({ content }) => content), "after"]);
  }
  truncateSync(path, 0);
  expect(loadConversation(folder)).toBeUndefined();
});

test("a damaged line is left out and named; what follows is read; new messages are appended on a line of their own", () => {
  using place = new Place();
  const folder = join(place.folder, "damaged");
  mkdirSync(folder);
  writeFileSync(join(folder, "log.jsonl"), `${JSON.stringify(header("damaged"))}\n`);
  const log = new ConversationLog(folder, header("damaged"));
  log.append({ role: "user", type: "message", content: "one" });
  appendFileSync(join(folder, "log.jsonl"), '{"at":"x","mess');
  log.close();
  const again = new ConversationLog(folder, header("damaged"), loadConversation(folder));
  again.append({ role: "user", type: "message", content: "two" });
  again.close();
  const { messages, problems } = loadConversation(folder)!;
  expect(messages.map(({ content }) => content)).toEqual(["one", "two"]);
  expect(problems).toEqual([expect.stringMatching(/Line 3 .* damaged/)]);
});

test("a line that was cut off on a full disk and then written whole is nothing to speak of", () => {
  using place = new Place();
  const folder = join(place.folder, "torn");
  const log = new ConversationLog(folder, header("torn"));
  log.append(message("one"));
  log.close();
  const path = join(folder, "log.jsonl");
  const line = `${JSON.stringify({ at: "now", message: message("two") })}\n`;
  appendFileSync(path, `${line.slice(0, 30)}\n${line}`);
  expect(contents(folder)).toEqual(["one", "two"]);
  expect(loadConversation(folder)!.problems).toEqual([]);
});

test("lines of kinds that only newer versions know are kept and skipped, with one note", () => {
  using place = new Place();
  const folder = join(place.folder, "newer");
  const log = new ConversationLog(folder, header("newer"));
  log.append(message("one"));
  appendFileSync(join(folder, "log.jsonl"), '{"at":"x","hologram":1}\n{"at":"x","hologram":2}\n');
  log.append(message("two"));
  log.close();
  expect(contents(folder)).toEqual(["one", "two"]);
  expect(loadConversation(folder)!.problems).toEqual([expect.stringMatching(/^2 lines .* unknown here/)]);
  expect(readFileSync(join(folder, "log.jsonl"), "utf8")).toContain('"hologram":2');
});

test("undo takes messages back and redo puts them back; the log only grows", () => {
  using place = new Place();
  const folder = join(place.folder, "undo");
  const log = new ConversationLog(folder, header("undo"));
  const path = join(folder, "log.jsonl");
  for (const content of ["one", "two", "three", "four"]) log.append(message(content));
  let before = readFileSync(path, "utf8");
  const grown = (expected: string[]) => {
    const now = readFileSync(path, "utf8");
    expect(now.startsWith(before)).toBe(true);
    before = now;
    expect(contents(folder)).toEqual(expected);
    expect(log.messages).toBe(expected.length);
  };
  log.undo(2);
  grown(["one", "two"]);
  log.undo(1);
  grown(["one"]);
  log.add({ redo: 1 });
  grown(["one", "two"]);
  log.add({ redo: 2 });
  grown(["one", "two", "three", "four"]);
  log.undo(3);
  log.append(message("five"));
  grown(["one", "five"]);
  log.add({ redo: 3 });
  expect(contents(folder)).toEqual(["one", "five"]);
  log.close();
});

const png = Buffer.from(Array.from({ length: 9_000 }, (_, index) => index % 251)).toString("base64");
const image = (content: string): Message => ({ role: "computer", type: "image", format: "base64.png", content });

test("pictures are files beside the log, for their owner only, and come back as they were", () => {
  using place = new Place();
  const folder = join(place.folder, "pictures");
  const log = new ConversationLog(folder, header("pictures"));
  const tiny = Buffer.from("tiny").toString("base64");
  const strange = `${png.slice(0, 4_000)}\n${png.slice(4_000)}`;
  for (const content of [png, tiny, strange]) log.append(image(content));
  log.close();
  const files = readdirSync(folder).filter((name) => name.startsWith("picture-"));
  expect(files).toHaveLength(1);
  expect(statSync(join(folder, files[0]!)).mode & 0o077).toBe(0);
  expect(readFileSync(join(folder, files[0]!)).toString("base64")).toBe(png);
  expect(readFileSync(join(folder, "log.jsonl"), "utf8")).not.toContain(png);
  const loaded = loadConversation(folder)!;
  expect(loaded.messages).toEqual([png, tiny, strange].map(image));
  expect({ ...loaded.messages[0]! }).toEqual(image(png));
  expect(JSON.parse(JSON.stringify(loaded.messages))).toEqual([png, tiny, strange].map(image));
  rmSync(join(folder, files[0]!));
  const without = loadConversation(folder)!;
  expect(without.messages[0]).toMatchObject({ format: "description", content: expect.stringContaining("is gone") });
  expect(without.problems).toEqual([expect.stringMatching(/The picture .* is gone/)]);
});

test("a picture in a log of an earlier version, where it is in the line itself, still loads", () => {
  using place = new Place();
  const folder = join(place.folder, "old");
  mkdirSync(folder);
  const lines = [header("old"), { at: "x", message: image(png) }].map((line) => JSON.stringify(line));
  writeFileSync(join(folder, "log.jsonl"), `${lines.join("\n")}\n`);
  expect(loadConversation(folder)!.messages).toEqual([image(png)]);
});

test("a log that others could read is made private when it is gone on with", () => {
  using place = new Place();
  const folder = join(place.folder, "open");
  new ConversationLog(folder, header("open")).close();
  const path = join(folder, "log.jsonl");
  chmodSync(path, 0o644);
  new ConversationLog(folder, header("open")).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a draft that an undo would make fit again is not taken for a message", () => {
  using place = new Place();
  const folder = join(place.folder, "draft");
  const log = new ConversationLog(folder, header("draft"));
  log.append(message("one"));
  log.draft({ role: "assistant", type: "message", start: true });
  log.draft({ role: "assistant", type: "message", content: "half" });
  log.close();
  const killed = loadConversation(folder)!;
  expect(killed.messages.map(({ content }) => content)).toEqual(["one", "half"]);
  const again = new ConversationLog(folder, header("draft"), killed);
  again.append(killed.unfinished!);
  again.undo(1);
  again.close();
  expect(contents(folder)).toEqual(["one"]);
});
