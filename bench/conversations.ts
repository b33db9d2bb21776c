// Keeping conversations: adding to one and going on with one as it grows, and listing and searching thousands.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ConversationLog, loadArchive, loadConversation } from "../src/conversations/index.ts";
import type { Message } from "../src/messages/index.ts";
import { least, type Row, timed } from "./measure.ts";

const sizes = [10, 100, 1_000, 10_000];
const many = 10_000;

export async function measureConversations(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-conversation-"));
  try {
    return [...(await growing(folder)), ...(await manyOf(join(folder, "many")))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function turn(number: number): Message[] {
  const id = String(number);
  return [
    { role: "user", type: "message", content: `question ${number} ${"words ".repeat(20)}` },
    { role: "assistant", type: "code", format: "python", content: "print(1)\n".repeat(20), id },
    { role: "computer", type: "console", format: "output", content: "output\n".repeat(50), id },
    { role: "assistant", type: "message", content: "answer ".repeat(60) },
  ];
}

/** One message more, all of it again, and a word in it, at each size. */
async function growing(folder: string): Promise<Row[]> {
  const { searchConversations } = await loadArchive();
  const header = { conversation: "bench", version: 1, created: "", cwd: "/" };
  const log = new ConversationLog(join(folder, "one"), header);
  const rows: Row[] = [];
  const first = { append: 0, load: 0, search: 0, memory: 0 };
  let turns = 0;
  const search = async () => {
    for await (const _ of searchConversations(folder, "nowhere")) return;
  };
  for (const size of sizes) {
    for (; turns < size; turns++) for (const message of turn(turns)) log.append(message);
    const append = (await least(5, () => timed(() => turn(size).map((message) => log.append(message))))) / 4;
    const load = (await least(5, () => timed(() => loadConversation(log.folder)))) / size;
    const found = (await least(5, () => timed(search))) / size;
    const memory = heapOf(() => loadConversation(log.folder)!.messages) / size;
    if (size === sizes[0]) Object.assign(first, { append, load, search: found, memory });
    const after = `after ${size.toLocaleString("en").replace(",", " ")} turns`;
    rows.push(
      { what: `append a message ${after}`, value: append, unit: "ms", floor: at10(first.append) },
      { what: `resume ${after}, a turn`, value: load, unit: "ms", floor: at10(first.load) },
      { what: `search ${after}, a turn`, value: found, unit: "ms", floor: at10(first.search) },
      { what: `memory resumed ${after}, a turn`, value: memory, unit: "MB", floor: at10(first.memory) },
    );
    if (size === 1_000)
      rows.push({
        what: "resume a conversation of 1 000 turns",
        value: load * size,
        unit: "ms",
        budget: { value: 150 },
      });
  }
  log.close();
  return rows;
}

const at10 = (value: number) => ({ what: "with 10 turns", value });

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What a value holds. */
function heapOf(make: () => unknown): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  const made = make();
  collect();
  const after = process.memoryUsage().heapUsed;
  return made ? Math.max(0, after - before) / 1e6 : 0;
}

/** About 200 MB of conversations. */
async function manyOf(folder: string): Promise<Row[]> {
  const { listConversations, searchConversations } = await loadArchive();
  const text = Buffer.from(
    "a hay stack of words that people say about their data, their code and its output. ".repeat(7),
  );
  for (let number = 0; number < many; number++) {
    const name = `20260101T${String(number).padStart(6, "0")}-${number.toString(36).padStart(6, "0")}`;
    const at = "2026-01-01T00:00:00.000Z";
    const lines = [JSON.stringify({ conversation: name, version: 1, created: at, cwd: "/work" })];
    for (let line = 0; line < 32; line++) {
      const content = `${text.subarray(line)}${number === many / 2 && line === 20 ? "a needle" : ""}`;
      lines.push(JSON.stringify({ at, message: { role: "user", type: "message", content } }));
    }
    lines.push(JSON.stringify({ at, digest: { name: "words", turns: 32, messages: 32, cost: 0, cwd: "/work" } }));
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "log.jsonl"), `${lines.join("\n")}\n`);
  }
  const search = async (words: string, most: number) => {
    let found = 0;
    for await (const _ of searchConversations(folder, words)) if (++found === most) break;
    return found;
  };
  const all = Number.POSITIVE_INFINITY;
  const budget = { value: 1_000 };
  return [
    {
      what: "list 10 000 conversations",
      value: await least(3, () => timed(() => [...listConversations(folder)])),
      unit: "ms",
      budget,
    },
    {
      what: "search them for a rare word",
      value: await least(3, () => timed(() => search("Needle", all))),
      unit: "ms",
      budget,
    },
    {
      what: "for a word that none has",
      value: await least(3, () => timed(() => search("größenwahn", all))),
      unit: "ms",
      budget,
    },
    {
      what: "for two words that all have, the first 20",
      value: await least(3, () => timed(() => search("data code", 20))),
      unit: "ms",
      budget,
    },
  ];
}
