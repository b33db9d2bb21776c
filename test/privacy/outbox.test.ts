// The record of what was sent: byte for byte, small, and there whatever happens to the program.

import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConversationOutbox, noteSent } from "../../src/privacy/index.ts";
import { differenceTo, joinedTo } from "../../src/privacy/outbox/difference.ts";
import { withoutKey } from "../../src/privacy/outbox/lines.ts";
import { readElsewhere, readOutbox } from "../../src/privacy/outbox/read.ts";

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "outbox-test-"));
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const text = () => fc.string({ unit: "binary", maxLength: 60 });

test("a text and what it differs in from another give that text again", () => {
  fc.assert(
    fc.property(text(), text(), text(), text(), (head, one, other, tail) => {
      const [before, after] = [head.repeat(200) + one + tail, head.repeat(200) + other + tail];
      const difference = differenceTo(before, after);
      expect(joinedTo(before, JSON.parse(JSON.stringify(difference)))).toBe(after);
      expect(difference.body.length).toBeLessThanOrEqual(other.length + Math.abs(one.length - other.length));
    }),
  );
});

test("requests of a conversation and those beside it are all there again", () => {
  using folder = new Folder();
  const outbox = new ConversationOutbox(() => folder.path);
  const long = (words: string[]): string => JSON.stringify({ messages: words, tools: ["execute"], stream: true });
  const words = Array.from({ length: 200 }, (_, index) => `${"wörds 😀 ".repeat(20)}${index}`);
  const bodies = words.flatMap((_, index) => {
    const main = long(words.slice(0, index + 1));
    return index % 20 === 3 ? [main, long([`summary of ${index}`])] : [main];
  });
  for (const [index, body] of bodies.entries()) {
    outbox.sending({ to: "https://host/v1", model: "m", body }).end();
    if (index % 10 === 0) outbox.flush();
  }
  outbox.close();
  const read = readOutbox(folder.path)!;
  expect(read.requests).toHaveLength(bodies.length);
  for (const [index, body] of bodies.entries()) expect(read.body(index + 1)).toBe(body);
  const size = readFileSync(join(folder.path, "outbox.jsonl")).length;
  expect(size).toBeLessThan(Buffer.byteLength(bodies.at(-1)!) * 3);
});

test("another program goes on with the record, and a damaged line costs only what needs it", () => {
  using folder = new Folder();
  const send = (outbox: ConversationOutbox, body: string) =>
    outbox.sending({ to: "https://h/", model: "m", body }).end();
  const first = new ConversationOutbox(() => folder.path);
  send(first, "aaaa-1");
  first.close();
  appendFileSync(join(folder.path, "outbox.jsonl"), '{"id":"x","bo\n');
  const second = new ConversationOutbox(() => folder.path);
  send(second, "aaaa-2");
  send(second, "aaaa-23");
  second.close();
  const read = readOutbox(folder.path)!;
  expect([read.damaged, read.requests.map(({ number }) => read.body(number))]).toEqual([
    1,
    ["aaaa-1", "aaaa-2", "aaaa-23"],
  ]);
});

test("what cannot be written now is written later", () => {
  using folder = new Folder();
  let there = join(folder.path, "not-yet");
  const outbox = new ConversationOutbox(() => there);
  outbox.sending({ to: "https://h/", model: "m", body: "one" });
  outbox.flush();
  there = folder.path;
  outbox.sending({ to: "https://h/", model: "m", body: "one two" });
  outbox.flush();
  const read = readOutbox(folder.path)!;
  expect([read.body(1), read.body(2), read.requests[0]!.reply]).toEqual(["one", "one two", undefined]);
});

/** A program that sends something and ends in this way. */
async function ending(folder: string, how: string): Promise<void> {
  const door = join(import.meta.dirname, "../../src/privacy/index.ts");
  const code = `
    import { ConversationOutbox } from ${JSON.stringify(door)};
    const outbox = new ConversationOutbox(() => ${JSON.stringify(folder)});
    outbox.sending({ to: "https://h/", model: "m", body: "first" }).end();
    outbox.flush();
    outbox.sending({ to: "https://h/", model: "m", body: "second" }).answered(200);
    ${how}`;
  writeFileSync(join(folder, "program.mts"), code);
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", join(folder, "program.mts")], {
    stdio: "ignore",
  });
  await new Promise((resolve) => child.on("close", resolve));
}

test.each([
  ["ends by itself", "", 2],
  ["is ended at once", "process.exit(3);", 2],
  ["fails", "throw new Error('on purpose, for a test of what is left');", 2],
  ["is killed", "process.kill(process.pid, 'SIGKILL');", 1],
])("when the program %s, the record has what it should", async (_, how, count) => {
  using folder = new Folder();
  await ending(folder.path, how);
  const read = readOutbox(folder.path)!;
  expect(read.requests.map(({ number }) => read.body(number))).toEqual(["first", "second"].slice(0, count));
  if (count === 2) expect(read.requests[1]!.reply).toMatchObject({ status: 200, got: 0 });
});

test("addresses are kept without keys", () => {
  expect(withoutKey("https://anna:secret@host/v1?key=abc&alt=sse")).toBe("https://host/v1?key=%E2%80%A6&alt=sse");
  expect(withoutKey("not an address?key=abc")).toBe("not an address");
});

test("what is sent apart from conversations is in the data folder, and does not grow without end", () => {
  using folder = new Folder();
  const env = { INTERPRETER_HOME: folder.path };
  expect(readElsewhere(folder.path)).toEqual([]);
  noteSent(env, "https://host/list?token=x", "a list was asked for");
  expect(readElsewhere(folder.path)).toEqual([
    { at: expect.any(String), to: "https://host/list?token=%E2%80%A6", what: "a list was asked for" },
  ]);
  for (let count = 0; count < 30; count++) noteSent(env, `https://host/${"x".repeat(50_000)}`, "much");
  expect(readFileSync(join(folder.path, "outbox.jsonl")).length).toBeLessThan(1_200_000);
  expect(existsSync(join(folder.path, "outbox.jsonl.new"))).toBe(false);
});
