// What leaves the machine with a real conversation: no secrets, nothing that is never to be sent; and all that did is on record.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forkConversation } from "../../src/conversations/archive.ts";
import type { InterpreterOptions } from "../../src/interpreter/index.ts";
import type { Chunk } from "../../src/messages/index.ts";
import { readOutbox } from "../../src/privacy/outbox/read.ts";
import { startInterpreter, type TestInterpreter } from "../support/interpreter.ts";
import { run, type Script } from "../support/scripted-model.ts";
import { letter } from "./secret-examples.ts";

const value = "kN4-wonderland-4711";

const start = (script: Script, options: InterpreterOptions & { env?: NodeJS.ProcessEnv } = {}) =>
  startInterpreter(script, { conversation: true, ...options });

/** Everything that the model was sent, as it came over the wire. */
const wire = ({ model }: TestInterpreter): string => model.requests.map(({ body }) => JSON.stringify(body)).join("\n");

/** Everything that is kept of the conversation. */
function kept({ interpreter }: TestInterpreter): string {
  const { folder } = interpreter.conversation!;
  const files = readdirSync(folder).filter((name) => /\.(jsonl|txt)$/.test(name));
  return files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

const shown = (chunks: readonly Chunk[]): string =>
  chunks
    .flatMap(({ content, recipient }) => (recipient !== "assistant" && typeof content === "string" ? [content] : []))
    .join("");

test("a secret that code prints is masked for the model and on disk, and shown to the person", async () => {
  await using it = await start([run("python", "print(open('.env').read())"), "It is there."]);
  writeFileSync(join(it.folder, ".env"), `SHOP_TOKEN=${value}\n`);
  const { chunks } = await it.tell(`my token is ${value}`);
  expect(shown(chunks)).toContain(value);
  expect(wire(it)).not.toContain(value);
  expect(wire(it)).toContain("‹secret SHOP_TOKEN›");
  expect(kept(it)).not.toContain(value);
  expect(kept(it)).toContain("my token is ‹secret SHOP_TOKEN›");
});

test("code that the model wrote runs as it was written, also with a mask in it", async () => {
  await using it = await start([run("python", `print("‹secret SHOP_TOKEN›"[1:7], len("${value}"))`), "ok"]);
  writeFileSync(join(it.folder, ".env"), `SHOP_TOKEN=${value}\n`);
  const { chunks } = await it.tell("go");
  expect(shown(chunks)).toContain("secret 19");
});

test("secrets are masked in the whole output beside the conversation, wherever the output is cut", async () => {
  const code = `for i in range(400):\n    print("row", i, "${"x".repeat(20)}", "kN4-wonder" + "land-4711", flush=i % 7 == 0)`;
  await using it = await start([run("python", code), "ok"]);
  writeFileSync(join(it.folder, ".env"), `SHOP_TOKEN=${value}\n`);
  await it.tell("go");
  const { folder } = it.interpreter.conversation!;
  const output = readdirSync(folder).find((name) => name.startsWith("output-"))!;
  const text = readFileSync(join(folder, output), "utf8");
  expect(text.match(/‹secret SHOP_TOKEN›/g)).toHaveLength(400);
  expect(text.match(/^row \d+ /gm)).toHaveLength(400);
  expect(text).not.toContain("wonderland");
  expect(wire(it)).not.toContain("wonderland");
});

test("a secret that comes in pieces does not get into the draft", async () => {
  const code = [
    "import sys, time",
    `for piece in ("at first kN4-", "wonder", "land-", "4711 and on\\n"):`,
    "    sys.stdout.write(piece); sys.stdout.flush(); time.sleep(0.1)",
  ].join("\n");
  await using it = await start([run("python", code), "ok"]);
  writeFileSync(join(it.folder, ".env"), `SHOP_TOKEN=${value}\n`);
  const drafts: string[] = [];
  await it.tell("go", ({ type, format }) => {
    const { folder } = it.interpreter.conversation!;
    const draft = join(folder, "draft.jsonl");
    if (type === "console" && format === "output" && existsSync(draft)) drafts.push(readFileSync(draft, "utf8"));
  });
  expect(drafts.length).toBeGreaterThan(2);
  expect(drafts.join("\n")).toContain("at first");
  expect(drafts.join("\n")).not.toMatch(/kN4-w|wonder|4711/);
  expect(drafts.at(-1)).toContain("‹secret SHOP_TOKEN› and on");
});

test("nothing is masked with mask_secrets off", async () => {
  await using it = await start(["ok"], { maskSecrets: false });
  writeFileSync(join(it.folder, ".env"), `SHOP_TOKEN=${value}\n`);
  await it.tell(`it is ${value}`);
  expect(wire(it)).toContain(value);
  expect(kept(it)).toContain(value);
});

test("neither the title of a conversation nor a copy of it has a secret", async () => {
  await using it = await start(["ok"]);
  writeFileSync(join(it.folder, ".env"), `SHOP_TOKEN=${value}\n`);
  await it.tell(`it is ${value}`);
  it.interpreter.title = `about ${value}`;
  expect(kept(it)).not.toContain(value);
  expect(kept(it)).toContain("about ‹secret SHOP_TOKEN›");
  const { messages, secrets: mask, cwd } = it.interpreter;
  const copy = forkConversation(join(it.folder, "copies"), { messages, title: value, cwd, mask });
  expect(readFileSync(join(copy.folder, "log.jsonl"), "utf8")).not.toContain(value);
});

const clients = [
  "name,email,city,amount",
  ...Array.from({ length: 30 }, (_, index) => `Person${index} Müller,person${index}@example.org,Ulm,${1000 + index}`),
].join("\n");

test("values of a file that is never sent are hidden in what is printed", async () => {
  const code = "print(open('clients.csv').read()[:200])\nprint('total', 30)";
  await using it = await start([run("python", code), "ok"], { neverSend: ["clients.csv"] });
  writeFileSync(join(it.folder, "clients.csv"), clients);
  const { chunks } = await it.tell("What is in it?");
  expect(shown(chunks)).toContain("person3@example.org");
  expect(wire(it)).not.toMatch(/person\d|Müller/i);
  expect(wire(it)).toContain("‹hidden›,‹hidden›,Ulm,‹hidden›");
  expect(wire(it)).toContain("‹email: text, 30 values, 30 different›");
  expect(wire(it)).toContain("‹amount: numbers, 30 values, 30 different›");
  expect(wire(it)).toContain("total 30");
  expect(kept(it)).toContain("person3@example.org");
});

test("only the column is hidden where a column is named", async () => {
  const code = "print(open('data/clients.csv').read()[:200])";
  await using it = await start([run("python", code), "ok"], { neverSend: ["data/clients.csv:email"] });
  mkdirSync(join(it.folder, "data"));
  writeFileSync(join(it.folder, "data/clients.csv"), clients);
  await it.tell("go");
  expect(wire(it)).toContain("Person0 Müller,‹hidden›,Ulm,1000");
});

test("what was read stays hidden when the file is deleted", async () => {
  const code = "import os\ntext = open('clients.csv').read()\nos.remove('clients.csv')\nprint(text[:200])";
  await using it = await start([run("python", code), run("python", "print(text[-60:])"), "ok"], {
    neverSend: ["clients.csv"],
  });
  writeFileSync(join(it.folder, "clients.csv"), clients);
  await it.tell("go");
  expect(wire(it)).not.toMatch(/person\d/i);
});

test("columns of displayed tables are hidden from the model, with their type and how many there are", async () => {
  const code = [
    "import pandas as pd",
    'frame = pd.DataFrame({"id": range(1204), "Email": ["p%d@x.org" % min(i, 1197) for i in range(1204)], "pay": 7.5})',
    "frame",
  ].join("\n");
  const more =
    'display(frame.set_index("Email").pay)\ndisplay([{"email": "a@" + "b.org", "n": 1}, {"email": None, "n": 2}])\nframe[["id"]].head(2)';
  await using it = await start([run("python", code), run("python", more), "ok"], { neverSend: ["column:email"] });
  const { chunks } = await it.tell("go");
  expect(shown(chunks)).toContain("p1@x.org");
  expect(wire(it)).not.toMatch(/p\d+@x\.org|a@b\.org/);
  expect(wire(it)).toContain("‹Email: text, 1 204 values, 1 198 different›");
  expect(wire(it)).toContain("‹email: text, 1 value, 1 different, 1 missing›");
  expect(wire(it)).toMatch(/1203 +‹hidden› +7\.5/);
  expect(wire(it)).toContain("'n': 2");
});

test.each([
  ["a mention", { content: "look at @clients.csv, please" }],
  ["a mention in quotes", { content: 'look at @"data/private/my list.txt"' }],
  ["a file", { type: "file", format: "path", content: "clients.csv" }],
  ["a picture", { type: "image", format: "path", content: "data/private/face.png" }],
] as const)("%s of a file that is never sent is refused", async (_, message) => {
  await using it = await start(["ok"], { neverSend: ["clients.csv", "data/private/*"] });
  await expect(it.interpreter.chat(message)).rejects.toThrow(
    /is not sent: never_send has "(clients\.csv|data\/private\/\*)"/,
  );
  expect(it.model.requests).toHaveLength(0);
  expect(it.interpreter.messages).toHaveLength(0);
});

test.each(["openai", "anthropic", "google", "mistral", "xai"] as const)(
  "the outbox has every request to %s byte for byte, without doubling what it has in common",
  async (name) => {
    const code = `print("${letter(2_000)} ä€😀")`;
    const models = { openai: "x", anthropic: "anthropic/x", google: "google/x", mistral: "mistral/x", xai: "xai/x" };
    const script = Array.from({ length: 12 }, (_, index) => run("python", `${code}  # ${index}`));
    await using it = await startInterpreter(
      [...script, "done"],
      { conversation: true, model: models[name], apiKey: `key-${letter(30)}` },
      name,
    );
    await it.tell("Say it twelve times. 😀");
    const { folder: there } = it.interpreter.conversation!;
    const lastReply = () => it.interpreter.recordSent() && readOutbox(there)!.requests.at(-1)!.reply;
    await expect.poll(lastReply).toBeDefined();
    const requests = it.model.requests.filter(({ wire: known }) => known !== undefined);
    const { folder } = it.interpreter.conversation!;
    const outbox = readOutbox(folder)!;
    expect(outbox.requests).toHaveLength(13);
    for (const [index, { text }] of requests.entries()) expect(outbox.body(index + 1)).toBe(text);
    const sent = requests.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const { size, mode } = statSync(join(folder, "outbox.jsonl"));
    expect(size).toBeLessThan(sent / 3);
    expect(mode & 0o777).toBe(0o600);
    const last = outbox.requests.at(-1)!;
    expect(last).toMatchObject({ number: 13, bytes: Buffer.byteLength(requests.at(-1)!.text), masked: 0 });
    expect(last.to).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    expect(last.reply).toMatchObject({ status: 200, got: expect.any(Number), ms: expect.any(Number) });
    expect(last.reply!.got).toBeGreaterThan(20);
    expect(readFileSync(join(folder, "outbox.jsonl"), "utf8")).not.toContain(`key-${letter(30)}`);
  },
);

test("a conversation that is not kept leaves no record", async () => {
  await using it = await startInterpreter(["ok"]);
  await it.tell("go");
  expect(it.interpreter.recordSent()).toBe(false);
  expect(existsSync(join(it.folder, ".home"))).toBe(false);
});
