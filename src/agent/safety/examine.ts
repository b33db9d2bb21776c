// The look itself: a block is read by its language's parser, what it would do is judged by the rules, and programs that it
// carries inside are looked at in the same way.

import { homedir, tmpdir } from "node:os";
import type { Act, See } from "./act.ts";
import type { SafetyEnvironment } from "./environment.ts";
import { additions, type Finding, inOrder } from "./finding.ts";
import { lettersOf } from "./letters.ts";
import { absolute, type Place } from "./place.ts";
import { judge } from "./rules/index.ts";
import { askScanners } from "./scanners/index.ts";
import { readSql } from "./sql.ts";

type Reader = (code: string, environment: SafetyEnvironment, see: See) => Promise<void> | void;

const python: Reader = async (...all) => (await import("./script/read-python.ts")).readPython(...all);
const javascript: Reader = async (code, _, see) =>
  (await import("./script/read-javascript.ts")).readJavascript(code, see);
const shell: Reader = async (code, _, see) => (await import("./shell/read-shell.ts")).readShell(code, see);
const sql: Reader = (code, _, see) => readSql(code, see);

/** Languages by every name they have, with the name that scanners and rules know. */
const readers = new Map<string, readonly [string, Reader]>([
  ...["python", "py", "python3", "ipython"].map((name) => [name, ["python", python]] as const),
  ...["javascript", "js", "node", "nodejs", "mjs", "cjs", "typescript", "ts", "mts", "cts"].map(
    (name) => [name, ["javascript", javascript]] as const,
  ),
  ...["shell", "bash", "sh", "zsh", "dash", "fish", "console", "terminal", "shell-session"].map(
    (name) => [name, ["shell", shell]] as const,
  ),
  ["sql", ["sql", sql]],
]);

const longestBlock = 1_000_000;
const deepest = 3;
const mostInside = 24;

interface Piece {
  language: string;
  code: string;
  /** The line of the block it begins on. */
  line: number;
  depth: number;
}

/** Findings about the block, the worst first. A language that nobody here can read has none. */
export async function examine(
  block: { language: string; code: string },
  environment: SafetyEnvironment,
): Promise<Finding[]> {
  const known = readers.get(block.language.toLowerCase());
  if (!known) return [];
  const lines = block.code.split("\n");
  const place = placeOf(environment);
  const found = lettersOf(block.code).flatMap((act) => judge(act, place));
  const scanned =
    environment.scanners === false ? [] : askScanners({ language: known[0], code: block.code }, environment);
  const pieces: Piece[] = [{ language: known[0], code: block.code, line: 1, depth: 0 }];
  for (let at = 0; at < Math.min(pieces.length, mostInside); at++) {
    const piece = pieces[at]!;
    // Every program begins in the working folder, as far as anybody knows.
    let here = place;
    for (const seen of await actsOf(piece, environment)) {
      const act = { ...seen, line: lineIn(lines, piece, seen.line) };
      if (act.type === "folder") here = { ...place, cwd: absolute(act.path ?? place.workspace, here) };
      else if (act.type !== "block") {
        // What is inside may be no program after all.
        if (at === 0 || act.type !== "unreadable" || act.unfinished) found.push(...judge(act, here));
      } else if (piece.depth < deepest && pieces.length < mostInside)
        pieces.push({ language: act.language, code: act.code, line: act.line, depth: piece.depth + 1 });
      else found.push(...judge(unfinished("it has programs within programs", act.line), here));
    }
  }
  found.push(...additions(found, await scanned));
  return inOrder(found.map((finding) => ({ ...finding, excerpt: excerptOf(lines, finding.line) })));
}

async function actsOf({ language, code }: Piece, environment: SafetyEnvironment): Promise<Act[]> {
  const acts: Act[] = [];
  if (code.length > longestBlock) return [unfinished("it is too long", 1)];
  try {
    await readers.get(language)?.[1](code, environment, (act) => void acts.push(act));
  } catch (error) {
    // A parser that gives up has read nothing; what was seen until then still counts.
    acts.push(unfinished(error instanceof Error ? error.message : String(error), 1));
  }
  return acts;
}

const unfinished = (why: string, line: number): Act => ({ type: "unreadable", why, unfinished: true, line });

/** A program inside a block has its own lines: they are the block's where its text is written out there. */
function lineIn(lines: readonly string[], { code, line, depth }: Piece, inner: number): number {
  if (depth === 0) return inner;
  const text = code.split("\n")[inner - 1]?.trim();
  const there = [inner - 1, inner].map((offset) => line + offset).find((at) => text && lines[at - 1]?.includes(text));
  return there ?? line;
}

function placeOf({ cwd, env }: SafetyEnvironment): Place {
  const home = (env.HOME ?? env.USERPROFILE ?? homedir()).replaceAll("\\", "/");
  const at = { cwd: cwd.replaceAll("\\", "/"), home };
  const temporary = ["/tmp", "/var/tmp", "/private/tmp", env.TMPDIR ?? tmpdir(), env.TEMP ?? tmpdir()];
  return { ...at, workspace: at.cwd, temporary: temporary.map((folder) => absolute(folder, at)) };
}

const longestExcerpt = 120;

function excerptOf(lines: readonly string[], line: number): string {
  const text = (lines[line - 1] ?? "").trim();
  return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt - 1)}…` : text;
}
