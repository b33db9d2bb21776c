// Which steps a result needs. Starts from the results (answers, pictures, files that are still there) and walks back through what
// each step needs; what is not reached is left out.

import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Import } from "./python.ts";
import type { Step } from "./steps.ts";

export interface Selection {
  kept: Step[];
  /** Import statements that what is kept needs, from whichever step. */
  imports: { step: Step; statement: Import }[];
  /** The steps whose own output is a result. */
  results: Set<Step>;
  /** Files that were made and are still there, by their place. */
  files: string[];
  /** Files that were there before, and are read. */
  inputs: string[];
  /** Names that are needed, and that no step that went well has made. */
  unknown: string[];
}

/** `since` is when the conversation began: a file that a step touches and that is younger was not there before. */
export function select(steps: readonly Step[], folder: string, since: Date): Selection {
  const kept = new Set<Step>();
  const imports = new Map<Import, Step>();
  const inputs = new Set<string>();
  const unknown = new Set<string>();
  const results = findResults(steps);
  const seen = new Set<string>();
  const todo: { resource: string; before: number }[] = [];

  function keep(step: Step): void {
    if (kept.has(step)) return;
    kept.add(step);
    for (const resource of step.facts.reads) todo.push({ resource, before: step.index });
    for (const statement of step.imports) imports.set(statement, step);
  }

  /** Whoever made it last before, and whoever has changed it since. */
  function need(resource: string, before: number): void {
    if (seen.has(`${before} ${resource}`)) return;
    seen.add(`${before} ${resource}`);
    const name = resource.startsWith("python:") ? resource.slice("python:".length) : undefined;
    if (name && steps[before]?.imports.some(({ names }) => names.includes(name))) return;
    for (let at = before - 1; at >= 0; at--) {
      const step = steps[at]!;
      if (step.facts.binds.includes(resource)) {
        keep(step);
        return;
      }
      const statement = name && step.imports.findLast(({ names }) => names.includes(name));
      if (statement) {
        imports.set(statement, step);
        return;
      }
      if (step.facts.changes.includes(resource)) keep(step);
    }
    if (resource.startsWith("file:")) inputs.add(resource.slice("file:".length));
    else if (name) unknown.add(name);
  }

  for (const step of results) keep(step);
  for (const step of steps) if (!step.failed && !step.installs && step.facts.doubt.length > 0) keep(step);
  const made = new Set(steps.filter(({ failed }) => !failed).flatMap(({ facts }) => facts.filesMade));
  const files = [...made].filter((place) => existsSync(resolve(folder, place)));
  for (const place of files) todo.push({ resource: `file:${place}`, before: steps.length });
  for (let next = todo.pop(); next; next = todo.pop()) need(next.resource, next.before);

  const makers = new Set([...kept].flatMap(({ facts }) => facts.filesMade));
  return {
    kept: steps.filter((step) => kept.has(step)),
    imports: [...imports].map(([statement, step]) => ({ step, statement })).sort((a, b) => a.step.index - b.step.index),
    results,
    files: files.filter((place) => makers.has(place)),
    inputs: [...inputs].filter((place) => {
      const file = statSync(resolve(folder, place), { throwIfNoEntry: false });
      return file !== undefined && !(made.has(place) && file.birthtimeMs >= since.getTime());
    }),
    unknown: [...unknown],
  };
}

/** What each turn ended with, and every picture; not what only looks, and not what was done again better. */
function findResults(steps: readonly Step[]): Set<Step> {
  const showing = steps.filter(({ failed, showsText, showsPicture }) => !failed && (showsText || showsPicture));
  const lastOfTurn = new Map(showing.map((step) => [step.turn, step]));
  const answers = [...lastOfTurn.values()].filter(({ looks, installs }) => !looks && !installs);
  const last = showing.at(-1);
  const candidates = new Set([...answers, ...showing.filter(({ showsPicture }) => showsPicture)]);
  if (candidates.size === 0 && last && !last.installs) candidates.add(last);
  return new Set(
    [...candidates]
      .filter((step) => !showing.some((later) => later.index > step.index && isDoneAgain(step, later)))
      .sort((a, b) => a.index - b.index),
  );
}

/** Most of what the one says, the later one says, too; and it shows the same kind of thing. */
function isDoneAgain(step: Step, later: Step): boolean {
  if (step.language !== later.language || step.showsPicture !== later.showsPicture) return false;
  const lines = linesOf(step.body);
  const again = new Set(linesOf(later.body));
  const shared = lines.filter((line) => again.has(line)).length;
  return lines.length > 0 && shared / lines.length >= 0.6;
}

const linesOf = (code: string): string[] =>
  code
    .split("\n")
    .map((line) => line.replace(/\s+/g, ""))
    .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("//"));
