// Which files a turn made, changed or deleted, and which of its blocks did it. The folder is compared before and after each
// block, and files that the code names wherever they are. What changes beside the code in that time cannot be told from it.

import { isAbsolute, join, relative, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chunk } from "../../messages/index.ts";
import type { Memory } from "./delivered.ts";
import { describeFile } from "./describe.ts";
import { isIgnored, isSame, readFolder, type Snapshot, type Stamp, stampOf, usualBounds } from "./folder.ts";
import { namedPaths } from "./named.ts";

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
  change: "new" | "changed" | "deleted";
  size: number;
  step: Step;
}

const mostListed = 100;
const mostDescribed = 20;

/** Begins to watch a turn: reads the folder while others work. */
export const watchTurn = (cwd: string, memory: Memory, signal: AbortSignal): TurnWatch =>
  new TurnWatch(cwd, memory, signal);

export class TurnWatch {
  readonly #cwd: string;
  readonly #signal: AbortSignal;
  readonly #memory: Memory;
  #snapshot: Promise<Snapshot | undefined>;
  #outside = new Map<string, Stamp | undefined>();
  readonly #changes = new Map<string, Change>();
  readonly #warnings = new Map<string, string>();
  #steps = 0;

  constructor(cwd: string, memory: Memory, signal: AbortSignal) {
    this.#cwd = cwd;
    this.#memory = memory;
    this.#signal = signal;
    memory.turns++;
    this.#snapshot = readFolder(cwd, usualBounds, signal);
  }

  /** Settles when everything is known that must be before a block runs. Returns what to call when it has run. */
  async before(language: string, code: string, id: string): Promise<() => void> {
    const before = await this.#snapshot;
    const step = { number: ++this.#steps, language, id, named: namedPaths(code, this.#cwd) };
    for (const path of step.named.keys()) {
      if (!this.#outside.has(path) && !this.#covers(before, path)) this.#outside.set(path, stampOf(path));
    }
    // The model is asked again first.
    return () => {
      this.#snapshot = sleep(2).then(() => this.#compare(before, step));
    };
  }

  #covers(snapshot: Snapshot | undefined, path: string): boolean {
    const inner = relative(this.#cwd, path);
    const folders = inner.split(sep).slice(0, -1);
    return snapshot !== undefined && folders.length < snapshot.levels && !isAbsolute(inner) && !folders.some(isIgnored);
  }

  async #compare(before: Snapshot | undefined, step: Step): Promise<Snapshot | undefined> {
    for (const [path, old] of this.#outside) {
      const now = stampOf(path);
      this.#note(path, old, now, step);
      this.#outside.set(path, now);
    }
    // A little more than before may be there now; what is beyond that was not seen.
    const bounds = before && { files: 2 * usualBounds.files, levels: Math.min(before.levels, usualBounds.levels) };
    const after = bounds && (await readFolder(this.#cwd, bounds, this.#signal));
    if (before && after) {
      for (const [path, stamp] of after.files) this.#note(join(this.#cwd, path), before.files.get(path), stamp, step);
      for (const [path, stamp] of before.files)
        if (!after.files.has(path) && path.split("/").length <= after.levels)
          this.#note(join(this.#cwd, path), stamp, undefined, step);
    }
    const { named, turns: turn } = this.#memory;
    for (const path of step.named.keys()) if (!named.has(path)) named.set(path, { turn, block: step.number });
    return after ?? before;
  }

  #note(path: string, old: Stamp | undefined, now: Stamp | undefined, step: Step): void {
    if (old && now ? isSame(old, now) : old === now) return;
    const earlier = this.#changes.get(path)?.change;
    const change = !now ? "deleted" : !old ? (earlier === "deleted" ? "changed" : "new") : (earlier ?? "changed");
    if (change === "deleted" && earlier === "new") this.#changes.delete(path);
    else this.#changes.set(path, { change, size: now?.size ?? 0, step });
    const { made, named, turns } = this.#memory;
    const twice = (step.named.get(path) ?? 0) > 1;
    const by = named.get(path) ?? (twice ? { turn: turns, block: step.number } : undefined);
    if (old && by && !made.has(path)) {
      const who = by.turn === turns ? `block ${by.block}` : "an earlier turn";
      const done = now ? "overwritten" : "deleted";
      this.#warnings.set(
        path,
        `It was there before, ${who} read or named it, and block ${step.number} has ${done} it.`,
      );
    }
    made.add(path);
  }

  /** What became of the turn, as one chunk; nothing when no file changed. */
  async finish(): Promise<Chunk[]> {
    if (this.#steps === 0) return [];
    const last = await this.#snapshot;
    if (this.#changes.size === 0) return [];
    const all = [...this.#changes].sort(
      ([one, a], [other, b]) => this.#rank(one, a) - this.#rank(other, b) || (one < other ? -1 : 1),
    );
    const files = all.slice(0, mostListed).map(([path, change], index) => this.#deliverable(path, change, index));
    const unwatched = unwatchedIn(last);
    const content = { files, more: all.length - files.length, ...(unwatched && { unwatched }) } satisfies Deliverables;
    return [{ role: "computer", type: "deliverables", content }];
  }

  /** Warnings first, then as they were made, what was deleted last. */
  #rank(path: string, { change, step }: Change): number {
    return (this.#warnings.has(path) ? -1e9 : 0) + (change === "deleted" ? 1e6 : 0) + step.number;
  }

  #deliverable(path: string, { change, size, step }: Change, index: number): Deliverable {
    const inner = relative(this.#cwd, path);
    const warning = this.#warnings.get(path);
    const described = change === "deleted" || index >= mostDescribed ? { kind: "" } : describeFile(path);
    return {
      path,
      name: inner.startsWith("..") ? path : inner,
      change,
      size,
      ...described,
      block: step.number,
      language: step.language,
      id: step.id,
      ...(warning && { warning }),
    };
  }
}

function unwatchedIn(snapshot: Snapshot | undefined): string | undefined {
  if (!snapshot) return "There are too many files here to watch them all: only those that the code names were.";
  if (snapshot.levels === Number.POSITIVE_INFINITY) return undefined;
  const levels = snapshot.levels === 1 ? "the files right in it were" : `its first ${snapshot.levels} levels were`;
  return `This folder has many files: only ${levels} watched, and files that the code names.`;
}
