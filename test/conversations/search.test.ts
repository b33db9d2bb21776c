import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConversationLog, type Found, loadArchive, loadConversation } from "../../src/conversations/index.ts";
import type { Message } from "../../src/messages/index.ts";

const { searchConversations, listConversations, nameOf } = await loadArchive();

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "search-test-"));
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  begin(name: string, cwd = "/work"): ConversationLog {
    return new ConversationLog(join(this.path, name), { conversation: name, version: 1, created: "", cwd });
  }

  async find(words: string): Promise<Found[]> {
    const all: Found[] = [];
    for await (const found of searchConversations(this.path, words)) all.push(found);
    return all;
  }
}

const said = (content: string): Message => ({ role: "user", type: "message", content });
const names = (found: readonly Found[]) => found.map(({ id }) => id);

test("every word must occur, in any case and anywhere; what is in quotes must occur as it is", async () => {
  using folder = new Folder();
  for (const [name, ...texts] of [
    ["a", "Coffee prices by month", "the chart is GREEN"],
    ["b", "green coffee\nfrom Ethiopia"],
    ["c", "tea"],
  ] as const) {
    const log = folder.begin(name!);
    for (const text of texts) log.append(said(text));
    log.close();
  }
  expect(names(await folder.find("COFFEE green"))).toEqual(["b", "a"]);
  expect(names(await folder.find('"green coffee"'))).toEqual(["b"]);
  expect(names(await folder.find('"coffee green"'))).toEqual([]);
  expect(names(await folder.find("coffee tea"))).toEqual([]);
  expect(names(await folder.find("  "))).toEqual([]);
});

test("what is found says the turn, the line and where in it the words are", async () => {
  using folder = new Folder();
  const log = folder.begin("one");
  log.append(said("make a plan"));
  log.append({ role: "assistant", type: "message", content: "A plan." });
  log.append(said("now a chart"));
  log.append({ role: "assistant", type: "code", format: "python", content: "import x\nchart(Plan)\n" });
  log.title("Charts of plans");
  log.close();
  const [found] = await folder.find("chart plan");
  expect(found).toMatchObject({ id: "one", name: "Charts of plans", cwd: "/work", count: 4 });
  expect(found!.places.map(({ turn, line }) => [turn, line])).toEqual([
    [1, "make a plan"],
    [1, "A plan."],
    [2, "chart(Plan)"],
  ]);
  expect(found!.places[2]!.marks.map(([from, to]) => "chart(Plan)".slice(from, to))).toEqual(["chart", "Plan"]);
});

test("words that only the log itself has are not found, nor what was taken back, nor pictures", async () => {
  using folder = new Folder();
  const log = folder.begin("one");
  log.append({ role: "assistant", type: "code", format: "python", content: "1 + 1", id: "abc" });
  log.append({ role: "computer", type: "console", format: "output", content: "two\nlines", status: "ok" });
  log.append({
    role: "computer",
    type: "image",
    format: "base64.png",
    content: Buffer.from("hello").toString("base64"),
  });
  log.used("openai/gpt", { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 });
  log.append(said("secret plan"));
  log.rest();
  const none = ["role", "assistant", "content", "message", "abc", "status", "ok", "aGVsbG8", "gpt", "digest", "nlines"];
  for (const word of none) expect([word, names(await folder.find(word))]).toEqual([word, []]);
  expect(names(await folder.find("lines"))).toEqual(["one"]);
  expect(names(await folder.find("secret"))).toEqual(["one"]);
  log.undo(1);
  log.close();
  expect(names(await folder.find("secret"))).toEqual([]);
});

test("a search can be left at any time", async () => {
  using folder = new Folder();
  for (const name of ["a", "b", "c"]) {
    const log = folder.begin(name);
    log.append(said("same words"));
    log.close();
  }
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { id } of searchConversations(folder.path, "words", { signal: stop.signal })) {
    seen.push(id);
    stop.abort();
  }
  expect(seen).toEqual(["c"]);
});

/** Texts of few letters, so that words often meet: capitals, letters beyond ASCII, and what JSON writes in its own way. */
const letters = [...'abkiKI\u0130\u212aäÄßẞσςΣжЖ漢 \n\t"\\{}:,nu0.*\u0001🙂'];
const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 });
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 3 });

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("say" as const), text, code: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("undo" as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("redo" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("title" as const), text }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("draft" as const), text: fc.string({ minLength: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("rest" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("again" as const) }) },
);

/** What a search that knows nothing of logs would find. */
function naive(folder: string, words: string): string[] {
  const wanted = [...words.matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([each, phrase]) => lower(phrase ?? each));
  const terms = wanted.filter((each) => each.trim() !== "");
  if (terms.length === 0) return [];
  return readdirSync(folder)
    .sort()
    .reverse()
    .filter((name) => {
      const { messages, title = "" } = loadConversation(join(folder, name))!;
      const texts = [title, ...messages.map(({ content }) => content)].map(lower);
      return terms.every((term) => texts.some((each) => each.includes(term)));
    });
}

/** Character by character. */
const lower = (text: string): string =>
  [...text].map((each) => (each === "\u0130" ? "i" : each === "ς" ? "σ" : each.toLowerCase())).join("");

test("after any sequence of operations a search finds exactly what a naive one finds, and a list what is there", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: 2 }), step), { maxLength: 25 }),
      fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { minLength: 6, maxLength: 6 }),
      async (steps, queries) => {
        using folder = new Folder();
        const logs = [0, 1, 2].map((index) => folder.begin(`c${index}`));
        for (const [index, each] of steps) logs[index] = take(logs[index]!, each);
        for (const log of logs) log.close();
        for (const query of [...queries.map((words) => words.join(" ")), ...queries.map(([first]) => `"${first}"`)])
          expect(names(await folder.find(query))).toEqual(naive(folder.path, query));
        for (const listed of listConversations(folder.path)) {
          const loaded = loadConversation(listed.folder)!;
          expect([listed.messages, listed.name]).toEqual([loaded.messages.length, nameOf(loaded)]);
        }
      },
    ),
    { numRuns: Number(process.env.INTERPRETER_SEARCHES ?? 150) },
  );
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function take(log: ConversationLog, each: Step): ConversationLog {
  if (each.type === "say")
    log.append(each.code ? { role: "assistant", type: "code", format: "python", content: each.text } : said(each.text));
  else if (each.type === "undo") {
    if (log.messages > 0) log.undo(Math.min(each.count, log.messages));
  } else if (each.type === "redo") log.add({ redo: 1 });
  else if (each.type === "title") log.title(each.text);
  else if (each.type === "rest") log.rest();
  else if (each.type === "again") {
    log.close();
    const loaded = loadConversation(log.folder)!;
    const again = new ConversationLog(log.folder, loaded.header, loaded);
    if (loaded.unfinished) again.append(loaded.unfinished);
    return again;
  } else {
    log.draft({ role: "assistant", type: "message", start: true });
    log.draft({ role: "assistant", type: "message", content: each.text });
  }
  return log;
}
