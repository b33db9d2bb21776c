// The write layer: sessions see the workspace through an overlay of their own, and what they change lies beside the real tree
// until it is kept or discarded.

import { chmodSync, lstatSync, rmSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import type { Effects, LeftRunning } from "../effects/effect.ts";
import type { Kept, Pending, Protection, StepFacts } from "../effects/protection.ts";
import type { SpawnRequest } from "../local.ts";
import type { NodeChange } from "../undo/change.ts";
import type { UndoStore } from "../undo/store.ts";
import { effectsOf } from "./caught-effects.ts";
import type { Holder } from "./holder.ts";
import { describeProcesses, isHeld, membersOf, newestProcess, pathsHeld } from "./members.ts";
import { isWithin } from "./mounts.ts";
import { removeTree, sweepUpper } from "./sweep.ts";
import { tooBigFor } from "./too-big.ts";
import { type Caught, isBlind, type LeftInside, type Scan, scanUpper } from "./upper.ts";

/** One folder of the workspace, and where its changes are caught. */
export interface Covered {
  root: string;
  upper: string;
}

export interface LayerRequest {
  holder: Holder;
  covered: readonly Covered[];
  store: UndoStore;
  /** Bytes that undo may take. */
  limit: number;
  /** What lies in the workspace and is not covered, in sentences. */
  uncovered: readonly string[];
  onClose: () => void;
}

/** Somebody who changes a file and runs code on it is not faster than this, in milliseconds. */
const freshFor = 250;

export class Layer implements Protection {
  readonly kind = "layer";
  readonly roots: readonly string[];
  readonly withoutSudo: boolean;
  readonly #request: LayerRequest;
  /** The sessions' own processes. */
  readonly #own = new Set<number>();
  #refreshed = Date.now();
  #since = Date.now();
  #newest = newestProcess();
  #leftRunning: LeftRunning[] = [];
  #left: LeftInside = { versions: new Map(), blind: new Set() };

  constructor(request: LayerRequest) {
    this.#request = request;
    this.roots = request.covered.map(({ root }) => root);
    this.withoutSudo = request.holder.asUser;
  }

  enter(request: SpawnRequest): SpawnRequest {
    const [command, ...args] = this.#request.holder.enter(request.cwd);
    return {
      ...request,
      command: command!,
      args: [...args, request.command, ...request.args],
      cwd: "/",
      env: { ...request.env, INTERPRETER_LAYER: "1" },
      onStart: (pid) => this.#own.add(pid),
    };
  }

  view(path: string): string {
    return this.roots.some((root) => isWithin(path, root)) ? `/proc/${this.#request.holder.pid}/root${path}` : path;
  }

  async begin(): Promise<void> {
    const left = this.#left.versions.size > 0;
    if (left) this.#sweep(this.#held());
    if (left || Date.now() - this.#refreshed > freshFor) await this.#refresh();
    // What is changed from now on, outside of the layer, is somebody else's doing.
    this.#since = Date.now();
    this.#newest = newestProcess();
    this.#leftRunning = [];
  }

  blockEnded(): void {
    this.#leftRunning = describeProcesses(this.#startedSince(), this.#own);
  }

  async pending(): Promise<Pending> {
    const { covered, uncovered } = this.#request;
    const scans = covered.map(({ root, upper }) =>
      scanUpper({ root, upper, view: this.view(root), since: this.#since, left: this.#left }),
    );
    const caught = scans.flatMap((scan) => scan.caught);
    const effects: Effects = {
      files: effectsOf(caught, this.roots[0]!),
      hosts: [],
      processes: this.#leftRunning,
      uncovered: caught.length > 0 ? uncovered : [],
    };
    let settled = false;
    const once = (settle: () => Promise<Kept>): Promise<Kept> => {
      if (settled) throw new Error("The step was already kept or discarded.");
      settled = true;
      return scans.every(({ empty }) => empty) ? Promise.resolve({ problems: [] }) : settle();
    };
    return {
      effects,
      keep: (facts, only) => once(() => this.#keep(facts, effects, scans, only)),
      discard: () => once(() => this.#discard(caught)),
    };
  }

  async #keep(facts: StepFacts, effects: Effects, scans: readonly Scan[], only?: readonly string[]): Promise<Kept> {
    for (const { touched } of scans) passTimes(touched);
    const caught = scans.flatMap((scan) => scan.caught);
    const wanted = only && pathsOf(effects, only);
    const kept = wanted ? caught.filter(({ path }) => wanted.has(path)) : caught;
    const held = this.#held();
    const changes = kept.map((each) =>
      changeOf(each, isHeld(each.hiding ?? each.path, held) || isBlind(each.path, this.#left)),
    );
    const result = changes.length > 0 ? await this.#request.store.keep(facts, changes) : { problems: [] };
    const blind = kept
      .filter((_, index) => changes[index]!.held)
      .flatMap(({ path, hiding, after }) => hiding ?? (after?.kind === "folder" ? path : []));
    if (wanted)
      this.#drop(
        caught.filter(({ path }) => !wanted.has(path)),
        held,
      );
    for (const { hiding } of kept) if (hiding && !isHeld(hiding, held)) removeTree(this.#inUpper(hiding));
    this.#sweep(held, blind);
    await this.#refresh();
    return result;
  }

  async #discard(caught: readonly Caught[]): Promise<Kept> {
    const held = this.#held();
    this.#drop(caught, held);
    this.#sweep(held);
    await this.#refresh();
    const open = caught.filter(({ path, after }) => after?.kind === "file" && isHeld(path, held));
    return {
      problems: open.map(({ path }) => `A program still has ${path} open: what it writes there from now on is lost.`),
    };
  }

  /** Takes what was caught out of the layer. */
  #drop(caught: readonly Caught[], held: ReadonlySet<string>): void {
    for (const { path, change, before, hiding } of caught) {
      if (change === "mode" && before?.kind === "folder") {
        chmodSync(this.view(path), before.mode);
        continue;
      }
      const gone = hiding ?? path;
      // Where a process holds it, the kernel goes on finding it under that name until it is deleted by that name.
      if (isHeld(gone, held)) rmSync(this.view(gone), { recursive: true, force: true });
      removeTree(this.#inUpper(gone));
    }
  }

  #inUpper(path: string): string {
    const { root, upper } = this.#request.covered.find((each) => isWithin(path, each.root))!;
    return join(upper, relative(root, path));
  }

  #startedSince(): number[] {
    const newest = newestProcess();
    if (newest === this.#newest) return [];
    // Numbers begin anew when they have all been used.
    const isNewer = (pid: number): boolean =>
      newest > this.#newest ? pid > this.#newest && pid <= newest : pid > this.#newest || pid <= newest;
    return membersOf(this.#request.holder.pid).filter((pid) => isNewer(pid) && !this.#own.has(pid));
  }

  #held(): Set<string> {
    return pathsHeld(membersOf(this.#request.holder.pid), this.roots);
  }

  /** Empties the layer of what the real tree has as well and nobody holds. */
  #sweep(held: ReadonlySet<string>, newlyBlind: readonly string[] = []): void {
    const blind = new Set([...this.#left.blind, ...newlyBlind].filter((path) => isHeld(path, held)));
    const left = { versions: this.#left.versions, blind };
    const stays = this.#request.covered.flatMap(({ root, upper }) => [...sweepUpper({ root, upper, held, left })]);
    this.#left = { versions: new Map(stays), blind };
  }

  /** The kernel forgets what it knows of the folders below and looks again. */
  async #refresh(): Promise<void> {
    for (const root of this.roots) {
      const problem = await this.#request.holder.run("mount", "-o", "remount", root);
      if (problem !== undefined) throw new Error(`The write layer over ${root} does not answer: ${problem}.`);
    }
    this.#refreshed = Date.now();
  }

  tooBig(paths: readonly string[]): readonly string[] {
    const { limit, covered } = this.#request;
    const within = paths.filter((path) => this.roots.some((root) => isWithin(path, root)));
    return tooBigFor(within, limit, covered[0]!.upper);
  }

  async close(): Promise<void> {
    this.#request.holder.close();
    this.#request.onClose();
  }
}

/** The paths of what was caught that belong to some effects: two of them to one that was renamed. */
function pathsOf(effects: Effects, only: readonly string[]): Set<string> {
  const wanted = new Set(only);
  for (const { path, change, beforePath } of effects.files)
    if (change === "renamed" && beforePath && wanted.has(path)) wanted.add(beforePath);
  return wanted;
}

function changeOf({ path, upper, change, before, after }: Caught, held: boolean): NodeChange {
  const there = { path, had: before !== undefined, has: after !== undefined };
  if (change === "mode" && before && after)
    return { ...there, how: "mode", modeBefore: before.mode, modeAfter: after.mode };
  return { ...there, how: "whole", ...(upper && { source: upper }), ...(held && upper && { held }) };
}

/** A file that was written anew with what it had is as new as that. */
function passTimes(touched: Scan["touched"]): void {
  for (const { path, upper } of touched) {
    const { atimeMs, mtimeMs } = lstatSync(upper);
    utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
  }
}
