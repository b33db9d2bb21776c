// Which files a turn made, changed or deleted, and which of its blocks did it: what the effects of its steps say, and beyond the
// folders that those cover, files that the code names.

import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { EffectsReport } from "../../agent/index.ts";
import {
  addUp,
  asideFolder,
  type Count,
  type Counted,
  countsOf,
  type Effect,
  loadDescribing,
  namedPaths,
} from "../../machine/index.ts";
import type { Chunk } from "../../messages/index.ts";
import type { Memory } from "./delivered.ts";
import { type Change as ChangeWord, effectWords, isOwnFolder, OwnFolders } from "./own-folders.ts";

export interface Deliverable {
  /** Absolute. */
  path: string;
  /** As a person in the folder would call it. */
  name: string;
  change: ChangeWord;
  /** With `moved`: the name it had. */
  from?: string;
  /** Of a folder that is told as one thing, and whose name ends with a slash: how many files, and whether there are even more. */
  files?: number;
  moreFiles?: boolean;
  /** Bytes; 0 of a folder. */
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
  /** How many entries there are besides. */
  more: number;
  /** How many files all of it is about. */
  counts: Count[];
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
  change: ChangeWord;
  from?: string;
  /** Of a folder that is told as one thing. */
  files?: number;
  moreFiles?: boolean;
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
  readonly #own = new OwnFolders<Step>();
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
    for (const effect of effects.files) if (!kept || kept.includes(effect.path)) this.#take(effect);
  }

  /** What an effect is about: all files of a folder that came; a folder that went, was moved or is empty as one thing. */
  #take(effect: Effect): void {
    const { path, change, kind, name, from, files = 0, moreFiles } = effect;
    if (kind === "other" || change === "mode") return;
    if (isOwnFolder(effect) && (change === "created" || change === "deleted")) {
      this.#takeOwn(effect);
      return;
    }
    if (kind === "folder" && change === "created" && files > 0 && files <= mostInFolder) {
      for (const file of filesIn(path)) this.#note(file, "new");
      return;
    }
    const word = change === "created" ? "new" : change === "renamed" ? "moved" : change;
    const counted = kind === "folder" ? { files, ...(moreFiles && { moreFiles }) } : {};
    const old = change === "renamed" && from !== undefined ? join(path, relative(name, from)) : undefined;
    if (old !== undefined) this.#told.add(old);
    this.#note(path, word, { ...counted, ...(old !== undefined && { from: old }) });
  }

  /** Files in it that the code names are told by themselves. */
  #takeOwn({ path, change, files = 0, moreFiles }: Effect): void {
    const step = this.#step!;
    const named = [...step.named.keys()].filter((each) => each.startsWith(`${path}${sep}`) && stampOf(each));
    for (const each of change === "created" ? named : []) this.#note(each, "new");
    const count = Math.max(0, files - (change === "created" ? named.length : 0));
    if (count === 0) return;
    this.#own.add(path, { change, what: "file", count, ...(moreFiles && { more: true }) }, step, true);
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

  #note(path: string, change: ChangeWord, more: Pick<Change, "from" | "files" | "moreFiles"> = {}): void {
    const step = this.#step!;
    this.#told.add(path);
    const name = relative(this.#cwd, path);
    const own = step.named.has(path) ? undefined : asideFolder(name);
    if (own !== undefined) {
      this.#own.add(join(this.#cwd, own), { change: effectWords[change], what: "file", count: 1 }, step);
      return;
    }
    const earlier = this.#changes.get(path);
    // What a turn made and then moved, it has made there.
    const origin = more.from === undefined ? undefined : this.#changes.get(more.from);
    if (origin) this.#changes.delete(more.from!);
    if (change === "deleted" && earlier?.change === "new") this.#changes.delete(path);
    else if (change === "deleted" && earlier?.from !== undefined) {
      this.#changes.delete(path);
      this.#changes.set(earlier.from, { change, size: 0, step });
    } else if (origin?.change === "new") this.#changes.set(path, { ...more, change: "new", size: sizeOf(path), step });
    else
      this.#changes.set(path, {
        ...earlier,
        ...more,
        change: wholeOf(earlier?.change, change),
        size: sizeOf(path),
        step,
      });
    const { made, named, turns } = this.#memory;
    const twice = (step.named.get(path) ?? 0) > 1;
    const by = named.get(path) ?? (twice ? { turn: turns, block: step.number } : undefined);
    if ((change === "changed" || change === "deleted") && by && !made.has(path)) {
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
    const mine = [...this.#changes].sort(
      ([one, a], [other, b]) => this.#rank(one, a) - this.#rank(other, b) || (one < other ? -1 : 1),
    );
    const own = [...this.#own.all()]
      .map(([path, folder]): [string, Change] => [path, { ...folder, size: 0 }])
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const all = [...mine, ...own];
    if (all.length === 0) return [];
    const { describeFile } = await loadDescribing();
    const listed = all.slice(0, mostListed);
    // What lies deeper may be told by its folder.
    const near = listed.map(([path]) => path).sort((one, other) => depthOf(one) - depthOf(other));
    const described = new Set(near.slice(0, mostDescribed));
    const describe = (path: string) => (described.has(path) ? describeFile(path) : { kind: "" });
    const files = listed.map(([path, change]) => this.#deliverable(path, change, () => describe(path)));
    const unwatched = [...this.#uncovered].join(" ");
    const counts = addUp([...countsOf(mine.map(([, change]) => counted(change))), ...this.#own.counts]);
    const more = all.length - files.length;
    const content = { files, more, counts, ...(unwatched && { unwatched }) } satisfies Deliverables;
    return [{ role: "computer", type: "deliverables", content: content as never }];
  }

  /** Warnings first, then as they were made, what was deleted last. */
  #rank(path: string, { change, step }: Change): number {
    return (this.#warnings.has(path) ? -1e9 : 0) + (change === "deleted" ? 1e6 : 0) + step.number;
  }

  #deliverable(path: string, entry: Change, describe: () => Pick<Deliverable, "kind">): Deliverable {
    const { change, from, files, moreFiles, size, step } = entry;
    const warning = this.#warnings.get(path);
    const folder = files !== undefined;
    return {
      path,
      name: `${this.#nameOf(path)}${folder ? "/" : ""}`,
      change,
      ...(from !== undefined && { from: `${this.#nameOf(from)}${folder ? "/" : ""}` }),
      ...(folder && { files, ...(moreFiles && { moreFiles }) }),
      size: folder ? 0 : size,
      ...(folder ? { kind: "folder" } : change === "deleted" ? { kind: "" } : describe()),
      block: step.number,
      language: step.language,
      id: step.id,
      ...(warning && { warning }),
    };
  }

  #nameOf(path: string): string {
    return this.#isOutside(path) ? path : relative(this.#cwd, path);
  }
}

const depthOf = (path: string): number => path.split(sep).length;

const counted = ({ change, files, moreFiles }: Change): Counted => ({
  change: effectWords[change],
  kind: files === undefined ? "file" : "folder",
  ...(files !== undefined && { files }),
  ...(moreFiles && { moreFiles }),
});

/** What a turn did to a file, after what it had done before. */
function wholeOf(earlier: ChangeWord | undefined, change: ChangeWord): ChangeWord {
  if (change === "new") return earlier === "deleted" ? "changed" : "new";
  return change === "changed" ? (earlier ?? change) : change;
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
