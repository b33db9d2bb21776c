// What was selected, as a conversation of its own: imports at the top, the steps in their order, and the words around them.

import type { Message } from "../../messages/index.ts";
import type { Part } from "../export/parts.ts";
import { beginsTurn } from "../turns.ts";
import type { Import } from "./python.ts";
import type { Selection } from "./select.ts";
import { type Step, shells } from "./steps.ts";

export interface CleanBlock {
  /** The steps it stands for: several where a language has to run in one go. */
  steps: Step[];
  /** Its own message in the clean conversation. */
  code: Message;
  /** The same code for a program that is no session. */
  script: string;
  /** What was recorded of it. */
  results: Message[];
}

export interface Arranged {
  blocks: CleanBlock[];
  messages: Message[];
}

/** The imports of everything, once each, in the usual order. */
export interface Gathered {
  code: string;
  /** Statements that stay where they are: what they mean depends on the place. */
  inPlace: Set<Import>;
}

export function arrange(parts: readonly Part[], selection: Selection): Arranged {
  const gathered = gather(selection);
  const blocks = joinBlocks(selection.kept.flatMap((step) => toBlock(step, gathered)));
  const messages: Message[] = [];
  const top: CleanBlock[] = [];
  if (gathered.code !== "") {
    const code: Message = { role: "assistant", type: "code", format: "python", id: "imports", content: gathered.code };
    top.push({ steps: [], code, script: gathered.code, results: [silent("imports")] });
  }
  let turn = 0;
  const words = new Map<number, { question?: Message; answer?: Message }>();
  for (const part of parts) {
    if (part.kind !== "said" || part.message.type !== "message") continue;
    if (beginsTurn(part.message)) words.set(++turn, { question: part.message });
    else if (part.message.role === "assistant") words.set(turn, { ...words.get(turn), answer: part.message });
  }
  const all = [...top, ...blocks];
  const turns = [...new Set(all.map(turnOf))].sort((a, b) => a - b);
  for (const each of turns) {
    const { question, answer } = words.get(each) ?? {};
    if (question) messages.push(question);
    for (const block of all) if (turnOf(block) === each) messages.push(block.code, ...block.results);
    if (answer) messages.push(answer);
  }
  return { blocks: all, messages };

  function turnOf(block: CleanBlock): number {
    return block.steps.at(-1)?.turn ?? blocks[0]?.steps.at(-1)?.turn ?? 0;
  }
}

function gather({ kept, imports }: Selection): Gathered {
  const inPlace = new Set<Import>();
  const meanings = new Map<string, Set<string>>();
  for (const { statement } of imports)
    for (const name of statement.names) meanings.set(name, (meanings.get(name) ?? new Set()).add(statement.code));
  // What is set before an import may be meant for it; and a module that a step writes is not there before.
  const written = new Set(
    kept.flatMap(({ facts }) => facts.filesMade.map((file) => file.replace(/(\/__init__)?\.py$/, ""))),
  );
  const from = kept.findIndex(({ facts }) =>
    facts.changes.some((each) => each === "module:os" || each === "module:sys"),
  );
  const barrier = from === -1 ? Number.POSITIVE_INFINITY : kept[from]!.index;
  for (const { statement, step } of imports) {
    const ambiguous = statement.names.some((name) => meanings.get(name)!.size > 1 && isTwoThings(meanings.get(name)!));
    const own = statement.modules.some((module) => written.has(module.replaceAll(".", "/")));
    if ((ambiguous || own || step.index >= barrier) && kept.includes(step)) inPlace.add(statement);
  }
  const codes = [
    ...new Set(imports.filter(({ statement }) => !inPlace.has(statement)).map(({ statement }) => statement.code)),
  ];
  const rank = (code: string): number => (code.startsWith("from __future__") ? 0 : code.startsWith("import ") ? 1 : 2);
  return { code: codes.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).join("\n"), inPlace };
}

/** `import a.b` and `import a` bind the same thing. */
const isTwoThings = (codes: ReadonlySet<string>): boolean =>
  new Set([...codes].map((code) => code.replace(/^import (\w+)(\.\w+)*$/, "import $1"))).size > 1;

function toBlock(step: Step, { inPlace }: Gathered): CleanBlock[] {
  const { part, failed, facts, language } = step;
  const own = step.imports.filter((statement) => inPlace.has(statement)).map(({ code }) => code);
  const comment = language === "javascript" ? "//" : language === "sql" || language === "lua" ? "--" : "#";
  const why = [
    ...facts.doubt.map((reason) => `${comment} Kept: ${reason}.`),
    ...(failed ? [`${comment} The rest of this block failed and is left out.`] : []),
  ];
  // A magic of a whole cell has to stay at its top.
  const notes = /^\s*%%/.test(step.body) ? [] : why;
  const whole = (code: string): string => [...notes, ...own, code].filter((text) => text !== "").join("\n");
  if (whole(step.body).trim() === notes.join("\n")) return [];
  const id = part.code.id ?? `step-${step.index + 1}`;
  const code: Message = { ...part.code, id, content: whole(step.body) };
  const results = failed ? [silent(id)] : part.results.map((message) => ({ ...message, id }));
  // A session shows open figures by itself.
  const shown = step.script.trimEnd().endsWith("show_figures()");
  const figures = step.showsPicture && language === "python" && !shown ? "\nshow_figures()" : "";
  return [{ steps: [step], code, script: `${whole(step.script)}${figures}`, results }];
}

const silent = (id: string): Message => ({
  role: "computer",
  type: "console",
  format: "output",
  id,
  status: "ok",
  content: "",
});

/**
 * Outside of a session each block of shell or JavaScript is a process of its own: those that share variables become one, at the
 * place of the last, unless something between them needs what the earlier one has made.
 */
function joinBlocks(blocks: readonly CleanBlock[]): CleanBlock[] {
  const out: CleanBlock[] = [];
  for (const block of blocks) {
    const language = block.code.format!;
    const at = out.findLastIndex((earlier) => earlier.code.format === language && sharesState(earlier, block));
    const between = at === -1 ? [] : out.slice(at + 1);
    if (at === -1 || between.some((each) => needsFiles(each, out[at]!))) out.push(block);
    else {
      const [earlier] = out.splice(at, 1);
      out.push(joined(earlier!, block));
    }
  }
  return out;
}

function sharesState(earlier: CleanBlock, later: CleanBlock): boolean {
  const language = earlier.code.format!;
  if (language === "python" || language === "sql") return false;
  const prefix = shells.has(language) ? "shell:" : `${language}:`;
  const made = new Set(earlier.steps.flatMap(({ facts }) => [...facts.binds, ...facts.changes]));
  return later.steps.some(({ facts }) => facts.reads.some((each) => each.startsWith(prefix) && made.has(each)));
}

function needsFiles(block: CleanBlock, from: CleanBlock): boolean {
  const made = new Set(from.steps.flatMap(({ facts }) => facts.filesMade.map((file) => `file:${file}`)));
  return block.steps.some(({ facts }) => facts.reads.some((each) => made.has(each)));
}

function joined(earlier: CleanBlock, later: CleanBlock): CleanBlock {
  const id = later.code.id!;
  const before = earlier.results.filter(({ content, type }) => type !== "console" || content !== "");
  return {
    steps: [...earlier.steps, ...later.steps],
    code: { ...later.code, content: `${earlier.code.content.trimEnd()}\n\n${later.code.content}` },
    script: `${earlier.script.trimEnd()}\n\n${later.script}`,
    results: [...before.map((message) => ({ ...message, id })), ...later.results],
  };
}
