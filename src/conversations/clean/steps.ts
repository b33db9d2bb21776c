// The blocks of a conversation that ran, each with the turn it belongs to, what it showed, and what is known of it.

import type { Message } from "../../messages/index.ts";
import { type BlockPart, type Part, statusOf } from "../export/parts.ts";
import { beginsTurn } from "../turns.ts";
import { type BlockFacts, nothing } from "./facts.ts";
import { javascriptFacts } from "./javascript.ts";
import { type Import, type PythonFacts, type PythonPlace, pythonFacts } from "./python.ts";
import { shellFacts } from "./shell.ts";

export interface Step {
  /** Its place among all steps of the conversation. */
  index: number;
  part: BlockPart;
  language: string;
  turn: number;
  /** It did not come to its end: only what it did before that is looked at. */
  failed: boolean;
  facts: BlockFacts;
  imports: Import[];
  /** Modules it imports, at whatever place. */
  modules: string[];
  /** The code to keep, without what stands at the top. */
  body: string;
  /** The same for a program that is no session. */
  script: string;
  needs: PythonFacts["needs"];
  showsText: boolean;
  showsPicture: boolean;
  /** It only looks at something, as one does on the way. */
  looks: boolean;
  /** It only installs packages. */
  installs: boolean;
}

export const shells: ReadonlySet<string> = new Set(["shell", "bash", "sh", "zsh", "fish", "cmd", "powershell"]);

/** Steps in the order they ran in; what was refused or not run is none. */
export async function stepsOf(parts: readonly Part[], place: PythonPlace): Promise<Step[]> {
  const found: { part: BlockPart; turn: number }[] = [];
  let turn = 0;
  for (const part of parts) {
    if (part.kind === "said" && beginsTurn(part.message)) turn++;
    if (part.kind === "block" && !["refused", "not-run"].includes(statusOf(part))) found.push({ part, turn });
  }
  const others = await Promise.all(found.map(({ part }) => otherFacts(part, place.folder)));
  const python = await readPython(found, others, place);
  const made = new Set([...others, ...python].flatMap((facts) => facts?.filesMade ?? []));
  return found.map(({ part, turn: at }, index): Step => {
    const { code, results } = part;
    const language = code.format ?? "";
    const failed = statusOf(part) !== "ok";
    const read = python[index];
    const known = shells.has(language) && !failed ? shellFacts(code.content, place.folder, made) : others[index];
    const facts: BlockFacts = read ?? known ?? (failed ? nothing : opaque(language));
    if (read?.problem && !failed) facts.doubt.push("it could not be read as Python");
    const printed = results.filter(({ type }) => type === "console" || type === "code").map(({ content }) => content);
    return {
      index,
      part,
      language,
      turn: at,
      failed,
      facts,
      imports: read?.imports ?? [],
      modules: read?.modules ?? [],
      body: read?.body ?? code.content,
      script: read?.script ?? (known && "program" in known ? String(known.program) : code.content),
      needs: read?.needs ?? [],
      showsText: printed.join("").trim() !== "",
      showsPicture: results.some(({ type }) => type === "image"),
      looks: read?.looks ?? isQuiet(facts),
      installs: onlyInstalls(language, facts, read),
    };
  });
}

async function readPython(
  found: readonly { part: BlockPart }[],
  others: readonly (BlockFacts | undefined)[],
  place: PythonPlace,
): Promise<(PythonFacts | undefined)[]> {
  if (!found.some(({ part }) => part.code.format === "python")) return found.map(() => undefined);
  const asked = found.map(({ part }, index) => {
    if (part.code.format !== "python") return { made: others[index]?.filesMade ?? [] };
    const failed = statusOf(part) !== "ok";
    return { code: part.code.content, ...(failed && { upTo: failedAt(part.results) }) };
  });
  const facts = await pythonFacts(place, asked);
  return facts.map((each) => each ?? undefined);
}

/** The line of the block that it failed at; 0, before everything, when nobody says. */
export function failedAt(results: readonly Message[]): number {
  const text = results.map(({ content, type }) => (type === "console" ? content : "")).join("");
  const at = text.lastIndexOf("Traceback (most recent call last):");
  const line = at === -1 ? undefined : /^ {2}File "<[^>]*>", line (\d+), in <module>/m.exec(text.slice(at))?.[1];
  return line === undefined ? 0 : Number(line);
}

async function otherFacts(part: BlockPart, folder: string): Promise<BlockFacts | undefined> {
  const { format = "", content } = part.code;
  if (statusOf(part) !== "ok") return format === "python" ? undefined : nothing;
  if (shells.has(format)) return shellFacts(content, folder);
  if (format === "javascript" || format === "typescript") return javascriptFacts(content, folder);
  if (format === "sql") return sqlFacts(content);
  return format === "html" || format === "react" ? nothing : undefined;
}

function sqlFacts(code: string): BlockFacts {
  const words = [...new Set(code.match(/[A-Za-z_]\w*/g) ?? [])].map((name) => `python:${name}`);
  const asks = /^\s*(--[^\n]*\n\s*)*(select|with|show|describe|explain|from|values)\b/i.test(code);
  const doubt = asks ? [] : ["what SQL changes cannot be told"];
  return { ...nothing, reads: ["sql:state", ...words], changes: asks ? [] : ["sql:state"], doubt };
}

/** A language that nobody here can read: each block may need all those before it. */
function opaque(language: string): BlockFacts {
  const state = `${language}:state`;
  return { ...nothing, reads: [state], changes: [state], doubt: [`what a block of ${language} does cannot be told`] };
}

const isQuiet = ({ binds, changes, doubt }: BlockFacts): boolean =>
  binds.length === 0 && changes.length === 0 && doubt.length === 0;

function onlyInstalls(language: string, facts: BlockFacts & { installs?: boolean }, read?: PythonFacts): boolean {
  if (read) return read.installs === true && isQuiet(facts) && read.imports.length === 0;
  return shells.has(language) && facts.installs === true && isQuiet(facts);
}
