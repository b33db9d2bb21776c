import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConversationLog, latestConversation, loadConversation } from "../../src/conversations/index.ts";
import type { Chunk } from "../../src/messages/index.ts";
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

test("killed at many moments, the log always loads and holds what was shown", async () => {
  using place = new Place();
  for (let kill = 0; kill < 12; kill++) {
    await using model = await scriptedModel([
      reply(say("word ".repeat(20)), run("python", "for i in range(30): print(i)"), { chunk: 3 }),
      reply("and then some more words to the end", { chunk: 3 }),
    ]);
    const child = place.start([...use(model.openai), "--json", `try ${kill}`]);
    let [count, shown] = [0, ""];
    child.stdout!.on("data", (text) => {
      const lines = String(text).split("\n").filter(Boolean);
      for (const line of lines) {
        const chunk = readChunk(line);
        if (chunk && ["message", "code"].includes(chunk.type) && typeof chunk.content === "string")
          shown += chunk.content;
      }
      count += lines.length;
      if (count > kill * 6) child.kill("SIGKILL");
    });
    await finish(child);
    const last = latestConversation(conversations(place), place.folder)!;
    expect(last.problems).toEqual([]);
    expect(last.messages[0]!.content).toBe(`try ${kill}`);
    const kept = last.messages
      .slice(1)
      .filter(({ type }) => type !== "console")
      .map(({ content }) => content)
      .join("");
    expect(kept.startsWith(shown)).toBe(true);
  }
});

function readChunk(line: string): Chunk | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // the process was killed while it wrote this line
  }
}

test("a log cut at any byte loads what it can and says what it could not", () => {
  using place = new Place();
  const folder = join(place.folder, "cut");
  const log = new ConversationLog(folder, { conversation: "cut", version: 1, created: "", cwd: "/" });
  for (const content of ["one", "zwei ✓", "three"]) log.append({ role: "user", type: "message", content });
  log.close();
  const path = join(folder, "log.jsonl");
  const whole = readFileSync(path);
  const header = whole.indexOf(0x0a) + 1;
  for (let size = whole.length; size > header; size--) {
    writeFileSync(path, whole);
    truncateSync(path, size);
    const { messages, problems } = loadConversation(folder)!;
    expect(messages.map(({ content }) => content)).toEqual(["one", "zwei ✓", "three"].slice(0, messages.length));
    const partial = whole[size - 1] !== 0x0a && whole[size] !== 0x0a;
    expect(problems.length).toBe(partial ? 1 : 0);
  }
});

test("a damaged line is left out and named; what follows is read; new messages are appended on a line of their own", () => {
  using place = new Place();
  const folder = join(place.folder, "damaged");
  mkdirSync(folder);
  const header = { conversation: "damaged", version: 1 as const, created: "", cwd: "/" };
  writeFileSync(join(folder, "log.jsonl"), `${JSON.stringify(header)}\n`);
  const log = new ConversationLog(folder, header);
  log.append({ role: "user", type: "message", content: "one" });
  appendFileSync(join(folder, "log.jsonl"), '{"at":"x","mess');
  log.close();
  const again = new ConversationLog(folder, header, loadConversation(folder));
  again.append({ role: "user", type: "message", content: "two" });
  again.close();
  const { messages, problems } = loadConversation(folder)!;
  expect(messages.map(({ content }) => content)).toEqual(["one", "two"]);
  expect(problems).toEqual([expect.stringMatching(/Line 3 .* damaged/)]);
});
