// Which files a turn made, changed or deleted, and which of its blocks did it: what the effects of its steps say, and beyond the
// folders that those cover, files that the code names.

import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { EffectsReport } from "../../agent/index.ts";
import { type Effect, isAside, loadDescribing, namedPaths } from "../../machine/index.ts";
import type { Chunk } from "../../messages/index.ts";
import type { Memory } from "./delivered.ts";

export interface Deliverable {
  /** Absolute. */
  path: string;
  /** As a person in the folder would call it. */
  name: string;
  change: "new" | "changed" | "deleted";
  /** Bytes. */
  size: number;
  /** What it is, with what can be counted: `csv 120 rows × 5 columns`. */
  kind: string;
  /** The first line of a text or a table. */
  preview?: string;
  /** The block of the turn that changed it last, counted from 1, its language and its id. */
  block: number;
  language: string;
  id: string;
  /** On an input that is not what it was any more. */
  warning?: string;
}

export interface Deliverables {
  files: Deliverable[];
  /** How many files changed besides. */
  more: number;
  /** What was not looked at, if so. */
  unwatched?: string;
}

interface Step {
  number: number;
  language: string;
  id: string;
  named: Map<string, number>;
}

interface Change {
  change: Deliverable["change"];
  size: number;
  step: Step;
}

const mostListed = 100;
const mostDescribed = 20;
const mostInFolder = 1_000;

export const filesOfTurn = (cwd: string, memory: Memory): TurnFiles => new TurnFiles(cwd, memory);

export class TurnFiles {
  readonly #cwd: string;
  readonly #memory: Memory;
  /** What was at the paths that code names: not all of them need be covered. */
  readonly #seen = new Map<string, string | undefined>();
  readonly #changes = new Map<string, Change>();
  readonly #warnings = new Map<string, string>();
  readonly #uncovered = new Set<string>();
  /** What the effects of the running step have said something about. */
  readonly #told = new Set<string>();
  #step: Step | undefined;

  constructor(cwd: string, memory: Memory) {
    // Effects have real paths.
    this.#cwd = realpathSync(cwd);
    this.#memory = memory;
  }

  /** A block is about to run. */
  begins({ language, code, id }: { language: string; code: string; id: string }): void {
    this.#ended();
    const named = namedPaths(code, this.#cwd);
    this.#step = { number: (this.#step?.number ?? 0) + 1, language, id, named };
    for (const path of named.keys()) if (!this.#seen.has(path)) this.#seen.set(path, stampOf(path));
  }

  /** What it did inside of the workspace. */
  did({ effects, decision, kept }: EffectsReport): void {
    for (const sentence of effects.uncovered) this.#uncovered.add(sentence);
    const dropped = effects.files.filter(({ path }) => decision === "discarded" || (kept && !kept.includes(path)));
    for (const { path } of dropped) {
      this.#told.add(path);
      if (this.#seen.has(path)) this.#seen.set(path, stampOf(path));
    }
    if (decision === "discarded") return;
    for (const effect of effects.files)
      if (!kept || kept.includes(effect.path)) for (const [path, change] of filesOf(effect)) this.#note(path, change);
  }

  /** The last block is over: what it named may be another one now. */
  #ended(): void {
    const step = this.#step;
    if (!step) return;
    for (const [path, old] of this.#seen) {
      const now = stampOf(path);
      if (old !== now && !this.#told.has(path))
        this.#note(path, now === undefined ? "deleted" : old === undefined ? "new" : "changed");
      this.#seen.set(path, now);
    }
    this.#told.clear();
    const { named, turns: turn } = this.#memory;
    for (const path of step.named.keys()) if (!named.has(path)) named.set(path, { turn, block: step.number });
  }

  #isOutside(path: string): boolean {
    const inner = relative(this.#cwd, path);
    return inner.startsWith("..") || isAbsolute(inner);
  }

  #note(path: string, change: Deliverable["change"]): void {
    const step = this.#step!;
    this.#told.add(path);
    if (isAside(relative(this.#cwd, path)) && !step.named.has(path)) return;
    const earlier = this.#changes.get(path)?.change;
    const whole =
      change === "new" && earlier === "deleted" ? "changed" : change === "changed" ? (earlier ?? change) : change;
    if (change === "deleted" && earlier === "new") this.#changes.delete(path);
    else this.#changes.set(path, { change: whole, size: sizeOf(path), step });
    const { made, named, turns } = this.#memory;
    const twice = (step.named.get(path) ?? 0) > 1;
    const by = named.get(path) ?? (twice ? { turn: turns, block: step.number } : undefined);
    if (change !== "new" && by && !made.has(path)) {
      const who = by.turn === turns ? `block ${by.block}` : "an earlier turn";
      const done = change === "deleted" ? "deleted" : "overwritten";
      this.#warnings.set(
        path,
        `It was there before, ${who} read or named it, and block ${step.number} has ${done} it.`,
      );
    }
    made.add(path);
  }

  /** What became of the turn, as one chunk; nothing when no file changed. */
  async finish(): Promise<Chunk[]> {
    this.#ended();
    if (this.#changes.size === 0) return [];
    const all = [...this.#changes].sort(
      ([one, a], [other, b]) => this.#rank(one, a) - this.#rank(other, b) || (one < other ? -1 : 1),
    );
    const { describeFile } = await loadDescribing();
    const describe = (path: string, index: number) => (index < mostDescribed ? describeFile(path) : { kind: "" });
    const files = all
      .slice(0, mostListed)
      .map(([path, change], index) => this.#deliverable(path, change, () => describe(path, index)));
    const unwatched = [...this.#uncovered].join(" ");
    const content = { files, more: all.length - files.length, ...(unwatched && { unwatched }) } satisfies Deliverables;
    return [{ role: "computer", type: "deliverables", content }];
  }

  /** Warnings first, then as they were made, what was deleted last. */
  #rank(path: string, { change, step }: Change): number {
    return (this.#warnings.has(path) ? -1e9 : 0) + (change === "deleted" ? 1e6 : 0) + step.number;
  }

  #deliverable(path: string, { change, size, step }: Change, describe: () => Pick<Deliverable, "kind">): Deliverable {
    const warning = this.#warnings.get(path);
    return {
      path,
      name: this.#isOutside(path) ? path : relative(this.#cwd, path),
      change,
      size,
      ...(change === "deleted" ? { kind: "" } : describe()),
      block: step.number,
      language: step.language,
      id: step.id,
      ...(warning && { warning }),
    };
  }
}

/** The files that an effect is about: all that are in a folder, and both names of one that was renamed. */
function* filesOf(effect: Effect): Generator<[string, Deliverable["change"]]> {
  const { path, change, kind, name, from } = effect;
  if (kind === "other" || change === "mode") return;
  if (kind === "folder") {
    if (change !== "deleted") for (const file of filesIn(path)) yield [file, "new"];
    return;
  }
  if (change === "renamed" && from) yield [join(path, relative(name, from)), "deleted"];
  yield [path, change === "created" || change === "renamed" ? "new" : change];
}

function* filesIn(folder: string): Generator<string> {
  let left = mostInFolder;
  const folders = [folder];
  for (let at = folders.shift(); at !== undefined && left > 0; at = folders.shift())
    for (const entry of entriesOf(at)) {
      if (left-- <= 0) return;
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) yield path;
    }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const sizeOf = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Of a file or a link; undefined for everything else, and where there is nothing. */
function stampOf(path: string): string | undefined {
  try {
    const facts = lstatSync(path);
    return facts.isFile() || facts.isSymbolicLink() ? `${facts.size} ${facts.mtimeMs} ${facts.ino}` : undefined;
  } catch {
    return undefined;
  }
}
