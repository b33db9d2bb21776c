import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConversationLog, Keeper, loadArchive, loadConversation } from "../../src/conversations/index.ts";
import type { Message } from "../../src/messages/index.ts";
import { Place } from "../support/program.ts";

const archive = await loadArchive();
const { findConversation, forkConversation, listConversations, removeConversation, renameConversation } = archive;

const message = (content: string, extra: Partial<Message> = {}): Message => ({
  role: "user",
  type: "message",
  content,
  ...extra,
});
const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, cost: 0.25 };
const contents = (folder: string) => loadConversation(folder)!.messages.map(({ content }) => content);

function begin(conversations: string, name: string, cwd = "/place"): ConversationLog {
  return new ConversationLog(join(conversations, name), { conversation: name, version: 1, created: "", cwd });
}

test("a list knows name, turns, messages, cost and folder of each, whether it ended well or was killed", () => {
  using place = new Place();
  for (const name of ["ended", "killed"]) {
    const log = begin(place.folder, name, `/place/${name}`);
    log.append(message("  plan\nthe week "));
    log.used("m", usage);
    log.append(message("Done.", { role: "assistant" }));
    log.append(message("and again"));
    log.used("m", usage);
    if (name === "ended") log.rest();
    log.close();
  }
  begin(place.folder, "empty").close();
  mkdirSync(join(place.folder, "no-log"));
  writeFileSync(join(place.folder, "a-file"), "");
  const listed = [...listConversations(place.folder)].sort((a, b) => (a.id < b.id ? -1 : 1));
  const facts = { name: "plan the week", turns: 2, messages: 3, cost: 0.5 };
  expect(listed).toMatchObject([
    { id: "ended", cwd: "/place/ended", ...facts },
    { id: "killed", cwd: "/place/killed", ...facts },
  ]);
  expect(listed[0]!.size).toBe(statSync(join(place.folder, "ended", "log.jsonl")).size);
});

test("a digest that is not the last line is not believed", () => {
  using place = new Place();
  const log = begin(place.folder, "one");
  log.append(message("one"));
  log.rest();
  log.append(message("two"));
  log.close();
  expect([...listConversations(place.folder)]).toMatchObject([{ messages: 2 }]);
  expect([...listConversations(join(place.folder, "nowhere"))]).toEqual([]);
});

test("a conversation is found by its name, or by the beginning of it or of its last part", () => {
  using place = new Place();
  for (const name of [
    "20260101T000000-abc123",
    "20260102T000000-abd456",
    "20260102T000001-abc124",
    ".20260103T000000-x",
  ])
    mkdirSync(join(place.folder, name));
  const find = (written: string) => findConversation(place.folder, written);
  expect(find("abd")).toBe("20260102T000000-abd456");
  expect(find("20260101")).toBe("20260101T000000-abc123");
  expect(find("20260102T000001-abc124")).toBe("20260102T000001-abc124");
  expect(() => find("abc")).toThrow(/2 conversations begin with "abc": 20260102T000001-abc124, 20260101T000000-abc123/);
  for (const none of ["x", "", "..", "../20260101T000000-abc123"])
    expect(() => find(none)).toThrow(/There is no conversation/);
});

test("a copy has the first turns, knows where it comes from, and keeps its files when that is deleted", () => {
  using place = new Place();
  const keeper = new Keeper(place.folder, "/place", undefined, () => {});
  const output = keeper.fileFor("output-1.txt", true);
  const later = keeper.fileFor("output-2.txt", true);
  writeFileSync(output, "the whole of it");
  writeFileSync(later, "later");
  const png = Buffer.alloc(9_000, 7).toString("base64");
  const all = [
    message("first"),
    message(`it is in ${output}`, { role: "computer", type: "console", format: "output", outputFile: output }),
    message(png, { role: "computer", type: "image", format: "base64.png" }),
    message("second"),
    message(`it is in ${later}`, { role: "computer", type: "console", format: "output", outputFile: later }),
  ];
  for (const each of all) keeper.add({ message: each });
  keeper.close();
  const origin = loadConversation(keeper.folder)!;
  const before = readFileSync(join(origin.folder, "log.jsonl"));
  const copy = forkConversation(place.folder, {
    messages: origin.messages.slice(0, 3),
    title: "first (copy)",
    cwd: "/place",
    from: { conversation: keeper.id, folder: keeper.folder },
  });
  expect(copy.header.from).toEqual({ conversation: keeper.id, turns: 1 });
  expect([copy.title, copy.problems]).toEqual(["first (copy)", []]);
  expect(readFileSync(join(origin.folder, "log.jsonl"))).toEqual(before);
  expect(readdirSync(copy.folder).sort()).toEqual(["log.jsonl", "output-1.txt", expect.stringMatching(/^picture-/)]);
  const picture = readdirSync(copy.folder).find((name) => name.startsWith("picture-"))!;
  expect(statSync(join(copy.folder, picture)).ino).toBe(statSync(join(origin.folder, picture)).ino);
  removeConversation(place.folder, keeper.id);
  const { messages } = loadConversation(copy.folder)!;
  expect(messages[1]!.content).toBe(`it is in ${messages[1]!.outputFile}`);
  expect(readFileSync(messages[1]!.outputFile!, "utf8")).toBe("the whole of it");
  expect(messages[2]!.content).toBe(png);
  expect(readdirSync(place.folder).filter((name) => name.startsWith("20"))).toEqual([copy.header.conversation]);
});

test("a conversation has the name that it was given last, in the list as well", () => {
  using place = new Place();
  const log = begin(place.folder, "one");
  log.append(message("first words"));
  log.rest();
  log.close();
  for (const title of ["Numbers", "Better numbers"]) renameConversation(place.folder, "one", title);
  expect(loadConversation(join(place.folder, "one"))!.title).toBe("Better numbers");
  expect([...listConversations(place.folder)]).toMatchObject([{ name: "Better numbers", messages: 1 }]);
  expect(contents(join(place.folder, "one"))).toEqual(["first words"]);
});

test("what is open elsewhere is neither renamed nor deleted", () => {
  using place = new Place();
  const keeper = new Keeper(place.folder, "/", undefined, () => {});
  keeper.add({ message: message("one") });
  expect(() => renameConversation(place.folder, keeper.id, "x")).toThrow(/open in another process/);
  expect(() => removeConversation(place.folder, keeper.id)).toThrow(/open in another process .*nothing was deleted/);
  keeper.close();
  expect(contents(keeper.folder)).toEqual(["one"]);
  removeConversation(place.folder, keeper.id);
  expect(existsSync(keeper.folder)).toBe(false);
});

test("deleting follows no link: neither one that stands for a conversation, nor one inside of it", () => {
  using place = new Place();
  const conversations = join(place.folder, "conversations");
  const precious = join(place.folder, "precious");
  mkdirSync(precious);
  writeFileSync(join(precious, "file"), "mine");
  begin(conversations, "one").close();
  symlinkSync(precious, join(conversations, "one", "link"));
  symlinkSync(precious, join(conversations, "two"));
  removeConversation(conversations, "one");
  expect(() => removeConversation(conversations, "two")).toThrow(/nothing was deleted/);
  expect(readFileSync(join(precious, "file"), "utf8")).toBe("mine");
  expect(readdirSync(conversations)).toEqual(["two"]);
  rmSync(join(conversations, "two"));
});
