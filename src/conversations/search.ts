// Full-text search. The logs themselves are searched, so that nothing found is ever stale: a log is read as bytes, and only the
// lines that may have a word are looked at more closely.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as others } from "node:timers/promises";
import type { Message } from "../messages/index.ts";
import { logName, parseLine } from "./lines.ts";
import { type Conversation, hasDraft, loadConversation, namesIn } from "./load.ts";
import { nameOf } from "./name.ts";
import { fold, readQuery, type Term } from "./query.ts";
import { turnStarts } from "./turns.ts";

export interface Found {
  /** The name of its folder. */
  id: string;
  folder: string;
  name: string;
  cwd: string;
  /** The places that have most of the words, in order. */
  places: Place[];
  /** How many lines have a word. */
  count: number;
}

export interface Place {
  /** Counted from 1; 0 is before the first. */
  turn: number;
  message: Message;
  line: string;
  /** From where to where in the line the words are. */
  marks: [from: number, to: number][];
}

/** The conversations that have every word somewhere, newest first, as they are found. */
export async function* searchConversations(
  conversations: string,
  written: string,
  { signal, places = 3 }: { signal?: AbortSignal; places?: number } = {},
): AsyncGenerator<Found> {
  const terms = readQuery(written);
  if (terms.length === 0) return;
  const names = namesIn(conversations).sort().reverse();
  let paused = performance.now();
  for (const name of names) {
    if (performance.now() - paused > 20) {
      await others();
      paused = performance.now();
    }
    if (signal?.aborted) return;
    const folder = join(conversations, name);
    if (mayHave(folder, terms)) {
      const found = placesIn(folder, terms, places);
      if (found) yield found;
    }
  }
}

let space = Buffer.alloc(1 << 20);

/** Bytes; a longer log is read as a conversation. */
const longest = 1 << 28;

/** False when the conversation surely lacks one of the words. Mostly the only thing that is asked. */
function mayHave(folder: string, terms: readonly Term[]): boolean {
  const text = readLatin1(join(folder, logName));
  if (text === undefined) return false;
  if (text === "" || hasDraft(folder)) return true;
  const plain = !text.includes(',"undo":');
  return terms.every((term) => (plain ? occurs(term, text) : term.pattern.test(rewound(term, text))));
}

function readLatin1(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    if (size > longest) return "";
    if (size > space.length) space = Buffer.alloc(2 * size);
    let read = 0;
    while (read < size) {
      const more = readSync(file, space, read, size - read, read);
      if (more === 0) break;
      read += more;
    }
    return space.toString("latin1", 0, read);
  } finally {
    closeSync(file);
  }
}

function rewound(term: Term, text: string): string {
  term.pattern.lastIndex = 0;
  return text;
}

/** Whether a word is in what was said, and not only in what stands around it in the log. */
function occurs({ text: word, pattern }: Term, text: string): boolean {
  pattern.lastIndex = 0;
  for (let hit = pattern.exec(text); hit; hit = pattern.exec(text)) {
    const start = text.lastIndexOf("\n", hit.index) + 1;
    const content = contentStart(text, start);
    if (content > hit.index) pattern.lastIndex = content;
    else {
      const end = text.indexOf("\n", hit.index);
      const line = () => text.slice(start, end === -1 ? undefined : end);
      const said = content === 0 ? !facts.test(line()) : hit.index < contentEnd(text, content) && isIn(word, line());
      if (said) return true;
      if (end === -1) return false;
      pattern.lastIndex = end;
    }
  }
  return false;
}

const words = /\{"at":"[^"]*","message":\{"role":"\w+","type":"\w+",(?:"format":"[^"\\]*",)?"content":"/y;
const facts = /^\{"at":"[^"]*","(?:digest|model|undo|redo|missing)":|^\{"conversation":/;

/** Where the words of a message begin; 0 when the line is not written as we write messages. */
function contentStart(text: string, line: number): number {
  words.lastIndex = line;
  return words.test(text) ? words.lastIndex : 0;
}

/** Where they end: at the first quote that is not one of theirs. */
function contentEnd(text: string, content: number): number {
  for (let quote = text.indexOf('"', content); ; quote = text.indexOf('"', quote + 1)) {
    if (quote === -1) return text.length;
    let before = quote;
    while (text[before - 1] === "\\") before--;
    if ((quote - before) % 2 === 0) return quote;
  }
}

function isIn(word: string, line: string): boolean {
  const { message } = Object(parseLine(Buffer.from(line, "latin1").toString("utf8"))) as { message?: Message };
  return message !== undefined && isText(message) && fold(message.content).includes(word);
}

const isText = ({ type, format }: Message): boolean =>
  type !== "image" || format === "description" || format === "path";

/** Looks at the conversation as it is now: taken back turns are gone, a draft is there. */
function placesIn(folder: string, terms: readonly Term[], most: number): Found | undefined {
  const conversation = loadConversation(folder);
  if (!conversation || !hasAll(conversation, terms)) return undefined;
  const starts = turnStarts(conversation.messages);
  const found: (Place & { words: number })[] = [];
  let turn = 0;
  let count = 0;
  for (const [index, message] of conversation.messages.entries()) {
    if (index === starts[turn]) turn++;
    if (!isText(message)) continue;
    for (const line of linesWith(message.content, terms)) {
      count++;
      found.push({ turn, message, ...line });
      if (found.length > 8 * most) found.sort((a, b) => b.words - a.words).length = most;
    }
  }
  const best = found.sort((a, b) => b.words - a.words).slice(0, most);
  return {
    id: basename(folder),
    folder,
    name: nameOf(conversation),
    cwd: conversation.header.cwd,
    places: best.sort((a, b) => a.turn - b.turn).map(({ words: _, ...place }) => place),
    count,
  };
}

/** The naive search: every word in the title or in a message. */
export function hasAll({ title = "", messages }: Pick<Conversation, "title" | "messages">, terms: readonly Term[]) {
  const missing = new Set(terms.map(({ text }) => text));
  for (const text of [title, ...messages.filter(isText).map(({ content }) => content)]) {
    const folded = fold(text);
    for (const word of missing) if (folded.includes(word)) missing.delete(word);
    if (missing.size === 0) return true;
  }
  return false;
}

function* linesWith(content: string, terms: readonly Term[]) {
  const folded = fold(content);
  if (!terms.some(({ text }) => folded.includes(text))) return;
  for (const line of content.split("\n")) {
    const text = fold(line);
    const marks: [number, number][] = [];
    let words = 0;
    for (const { text: word } of terms) {
      const at = text.indexOf(word);
      if (at === -1) continue;
      words++;
      marks.push([at, at + word.length]);
    }
    if (words > 0) yield { line, marks: marks.sort((a, b) => a[0] - b[0]), words };
  }
}
