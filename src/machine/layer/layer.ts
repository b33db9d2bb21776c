// The write layer: sessions see the workspace through an overlay of their own, and what they change lies beside the real tree
// until it is kept or discarded.

import { chownSync, closeSync, fsyncSync, lstatSync, openSync, type Stats } from "node:fs";
import { join } from "node:path";
import { withCounts } from "../effects/counts.ts";
import type { Effect, Effects, LeftRunning } from "../effects/effect.ts";
import { nameOf } from "../effects/name.ts";
import type { Kept, Pending, Protection, StepFacts } from "../effects/protection.ts";
import { sameVersion, versionOf } from "../effects/version.ts";
import type { SpawnRequest } from "../local.ts";
import type { Bars } from "../sandbox/later.ts";
import type { Sandbox } from "../sandbox/open.ts";
import type { NodeChange } from "../undo/change.ts";
import { factsOf } from "../undo/facts.ts";
import { namesIn, raw, visibleNamesIn } from "../undo/names.ts";
import type { UndoStore } from "../undo/store.ts";
import { openAround } from "./access.ts";
import { changesOf, pathsOf } from "./caught-changes.ts";
import { effectsOf } from "./caught-effects.ts";
import { type HoldBack, openHoldBack } from "./hold-back.ts";
import type { Holder } from "./holder.ts";
import { type Covered, type Inside, openInside } from "./inside.ts";
import { isBlind, type Left, type LeftInside, nothingLeft } from "./left.ts";
import {
  descendsFrom,
  describeProcesses,
  type Held,
  isHeld,
  newestProcess,
  openMembers,
  pathsHeld,
  socketNames,
} from "./members.ts";
import { isWithin } from "./mounts.ts";
import { findOutdated } from "./outdated.ts";
import { socketsIn } from "./sockets.ts";
import { type LayerState, writeState } from "./state.ts";
import { whileStill } from "./still.ts";
import { sweepUpper } from "./sweep.ts";
import { tooBigFor } from "./too-big.ts";
import { dropTooDeep, isTooDeep } from "./too-deep.ts";
import { type Caught, type Scan, scanUpper } from "./upper.ts";

export interface LayerRequest {
  holder: Holder;
  covered: readonly Covered[];
  store: UndoStore;
  /** Bytes that undo may take. */
  limit: number;
  /** Where it notes how far it has come; and how far it had come, when it is taken up again. */
  folder: string;
  state?: LayerState | undefined;
  /** The walls around it, where there are any. */
  sandbox?: Sandbox | undefined;
  /** What is not kept, where there are walls, or were when it was caught. */
  bars?: Bars | undefined;
  /** File systems that are mounted in the workspace. */
  mounts: readonly string[];
  onClose: () => void;
}

/** Code that waits for a file from outside sees it after so many milliseconds. */
const refreshEvery = 1_000;

/** What only happens in a layer of an ordinary user. */
const hints: readonly [RegExp, string][] = [
  [
    /value too large for defined data type|EOVERFLOW/i,
    "A file belongs to another user or group, and the write layer cannot change such files. Start with --layer checkpoint.",
  ],
  [
    /invalid cross-device link|EXDEV/i,
    "A folder cannot be renamed in one move in the write layer: use mv, or start with --layer checkpoint.",
  ],
];

interface Looked {
  scans: Scan[];
  caught: Caught[];
  files: Effect[];
  /** What was taken out, in sentences. */
  denied: readonly string[];
}

export class Layer implements Protection {
  readonly kind = "layer";
  readonly roots: readonly string[];
  readonly withoutSudo: boolean;
  readonly sandbox?: Sandbox;
  readonly #request: LayerRequest;
  /** The sessions' own processes. */
  readonly #own = new Set<number>();
  readonly #members: () => number[];
  #since: number;
  #settled = Date.now();
  /** When something was last kept or undone, by whomever. */
  #storeChanged: number | undefined;
  /** Whether some process had a file open the last time. */
  #hadOpen = false;
  readonly #inside: Inside;
  readonly #back: HoldBack | undefined;
  #newest = newestProcess();
  #leftRunning: LeftRunning[] = [];
  /** While a block runs. */
  #looking: NodeJS.Timeout | undefined;
  #left: LeftInside;
  /** What happened between two steps, in sentences. */
  readonly #said: string[] = [];

  constructor(request: LayerRequest) {
    this.#request = request;
    this.roots = request.covered.map(({ root }) => root);
    this.withoutSudo = request.holder.asUser || request.sandbox !== undefined;
    if (request.sandbox) this.sandbox = request.sandbox;
    const { holder, covered, folder } = request;
    const view = (path: string) => this.view(path);
    const refresh = () => this.#refresh();
    this.#inside = openInside({ holder, covered, folder, view, refresh, problems: this.#said });
    this.#back = request.bars && openHoldBack(request.bars, covered, this.#inside);
    this.#members = openMembers(request.holder.pid, this.#own);
    this.#since = request.state?.since ?? Date.now();
    this.#left = request.state?.left ?? nothingLeft;
  }

  enter(request: SpawnRequest): SpawnRequest {
    const [command, ...args] = this.#request.holder.enter(request.cwd);
    return {
      ...request,
      command: command!,
      args: [...args, request.command, ...request.args],
      cwd: "/",
      env: { ...request.env, ...this.sandbox?.env, _OI_LAYER: "1" },
      onStart: (pid) => this.#own.add(pid),
      ...(this.#request.holder.numbers && { numbers: this.#request.holder.numbers }),
    };
  }

  view(path: string): string {
    return this.sandbox || this.roots.some((root) => isWithin(path, root))
      ? `/proc/${this.#request.holder.pid}/root${path}`
      : path;
  }

  async begin(): Promise<void> {
    clearInterval(this.#looking);
    await this.sandbox?.beside?.note();
    const isEmpty = this.#request.covered.every(({ upper }) => namesIn(upper).length === 0);
    if (isEmpty && !this.#hadOpen) await this.#refresh();
    else await this.#still(() => this.#renew());
    for (const { root, upper } of this.#request.covered) {
      const [real, mine] = [modeOf(root), modeOf(upper)];
      if (real !== mine) await this.#inside.chmod(root, real);
    }
    // What is changed from now on, outside of the layer, is somebody else's doing. File systems count in steps of some milliseconds.
    this.#since = Date.now() + 1;
    this.#note();
    this.#newest = newestProcess();
    this.#leftRunning = [];
    this.#looking = setInterval(() => void this.#refresh().catch(() => {}), refreshEvery);
    this.#looking.unref();
  }

  /** What was changed from outside is seen, and what nobody holds any more leaves the layer. */
  async #renew(): Promise<void> {
    const held = this.#held();
    await this.#refresh();
    for (const each of this.#request.covered) await this.#update(each, held);
    const swept = await this.#sweep(held);
    await this.#refresh();
    await this.#revealUndone(held, swept);
  }

  blockEnded(): void {
    clearInterval(this.#looking);
    this.#leftRunning = describeProcesses(this.#startedSince(), this.#own);
  }

  async pending(): Promise<Pending> {
    clearInterval(this.#looking);
    const looked = await this.#lookWithoutEnd();
    const { scans, caught, files } = looked;
    const beside = await this.sandbox?.beside?.takeBack();
    const denied = [...looked.denied, ...(beside?.denied ?? [])];
    const owners = scans.flatMap((scan) => scan.owners);
    const effects: Effects = {
      files,
      hosts: [],
      processes: this.#leftRunning,
      ...(denied.length > 0 && { denied }),
      uncovered: [
        ...this.#said.splice(0),
        ...(beside?.stays ?? []),
        ...owners.map(
          ({ path }) => `${this.#folderName(path)} belongs to another user or group now; that cannot be undone.`,
        ),
        ...(caught.length > 0 ? this.#request.mounts : []).map(
          (path) => `${this.#folderName(path)} is another file system: what is changed there is not covered.`,
        ),
      ],
    };
    let settled = false;
    const once = (settle: (now: Looked) => Promise<Kept>): Promise<Kept> => {
      if (settled) throw new Error("The step was already kept or discarded.");
      settled = true;
      if (scans.every(({ empty }) => empty)) return Promise.resolve({ problems: [] });
      return this.#still(async () => settle(await this.#again(looked)));
    };
    return {
      effects,
      keep: (facts, only) => once((now) => this.#keep(withCounts(facts, effects.files, only), effects, now, only)),
      discard: () => once((now) => this.#discard(now)),
    };
  }

  #scan(): Looked {
    const scans = this.#request.covered.map(({ root, upper }) =>
      scanUpper({ root, upper, view: this.view(root), since: this.#since, left: this.#left }),
    );
    const caught = scans.flatMap((scan) => scan.caught);
    for (const each of caught) if (each.otherNames && !this.#inside.hasOtherNames(each.path)) delete each.otherNames;
    return { scans, caught, files: effectsOf(caught, this.roots), denied: [] };
  }

  /** Where nobody comes to the bottom of what was caught, that is taken out first. */
  async #lookWithoutEnd(): Promise<Looked> {
    try {
      return await this.#look();
    } catch (error) {
      if (!isTooDeep(error)) throw error;
    }
    const dropped = await this.#still(async () =>
      this.#request.covered.flatMap(({ root, upper }) => dropTooDeep(upper).map((name) => join(root, name))),
    );
    await this.#refresh();
    const looked = await this.#look();
    const denied = dropped.map(
      (path) => `${this.#folderName(path)} has folders in folders without end: those were not kept.`,
    );
    return { ...looked, denied: [...looked.denied, ...denied] };
  }

  /** What was caught, without what may not become real. */
  async #look(): Promise<Looked> {
    const looked = this.#scan();
    const isClean = !this.#back || this.#back.find(looked.caught, looked.files).length === 0;
    return isClean ? looked : this.#still(() => this.#without());
  }

  /** What may not become real is taken out, and told. */
  async #without(): Promise<Looked> {
    const looked = this.#scan();
    const barred = this.#back?.find(looked.caught, looked.files) ?? [];
    if (!this.#back || barred.length === 0) return looked;
    const held = this.#held();
    await this.#back.takeOut(barred, held, this.#left);
    await this.#refresh();
    const paths = barred.flatMap(({ path, from }) => [path, ...(from ? [from] : [])]);
    await this.#reveal(paths, held, () => true);
    return { ...this.#scan(), denied: this.#back.sentences(barred) };
  }

  /** As it is now, of what was there then: a program may have put a link that leads out where a folder was. */
  async #again({ caught }: Looked): Promise<Looked> {
    const now = await this.#without();
    const known = new Set(caught.map(({ path }) => path));
    const scans = now.scans.map((scan) => ({ ...scan, caught: scan.caught.filter(({ path }) => known.has(path)) }));
    return { ...now, scans, caught: scans.flatMap((scan) => scan.caught) };
  }

  /** While nobody within the walls does anything. */
  async #still<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.sandbox ? whileStill({ holder: this.#request.holder.pid, own: this.#own }, work) : work();
  }

  #folderName(path: string): string {
    return nameOf(path, "folder", this.roots);
  }

  async #keep(facts: StepFacts, effects: Effects, now: Looked, only?: readonly string[]): Promise<Kept> {
    const { scans, caught, denied } = now;
    for (const { path, uid, gid } of scans.flatMap(({ owners }) => owners)) chownSync(raw(path), uid, gid);
    const wanted = only ? pathsOf(effects, caught, only) : new Set(caught.map(({ path }) => path));
    const kept = caught.filter(({ path }) => wanted.has(path));
    this.#note(only ? [...wanted] : "all");
    const held = this.#held();
    for (const each of kept) if (held.mapped.has(each.path)) this.#writeBack(each);
    const stays = ({ path, hiding, veiled }: Caught): boolean =>
      isHeld(hiding ?? veiled ?? path, held.paths) || isBlind(path, this.#left);
    const areShared = this.#hasOtherNames(kept.filter(stays));
    const { changes, open } = changesOf(
      kept.filter(({ path }) => !held.sockets.has(path)),
      (each) => areShared || stays(each),
    );
    const meanwhile = kept.filter(
      ({ path, before, changedOutside, change, hiding }) =>
        !changedOutside && !hiding && change !== "mode" && !sameVersion(versionOf(path), before),
    );
    const result = await this.#put(facts, changes);
    await this.#drop(
      caught.filter((each) => !wanted.has(each.path) || open.includes(each)),
      held,
      "some",
    );
    for (const { hiding } of kept) if (hiding && !isHeld(hiding, held.paths)) this.#inside.remove(hiding);
    const swept = await this.#sweep(held);
    await this.#refresh();
    const dropped = caught.filter(({ path }) => !wanted.has(path));
    await this.#reveal([...dropped.map(({ path }) => path), ...swept], held, () => true);
    this.#note();
    const stayed = open.map(
      ({ path }) => `${this.#folderName(path)} stays open to you: something in it was changed, too.`,
    );
    const sockets = kept.filter(({ path }) => held.sockets.has(path));
    const inside = sockets.map(({ path }) => `${path} is a socket: only programs that were started here can reach it.`);
    const overwritten = meanwhile.map(
      ({ path }) =>
        `${nameOf(path, "file", this.roots)} was changed from outside meanwhile: undo brings that version back.`,
    );
    return { ...result, problems: [...result.problems, ...denied, ...overwritten, ...stayed, ...inside] };
  }

  /** Whether a file that stays in the layer may have another name there: under that it must not become real. */
  #hasOtherNames(staying: readonly Caught[]): boolean {
    const hasSeveral = (inUpper: string): boolean => {
      const facts = factsOf(inUpper);
      if (!facts?.isDirectory()) return facts?.isFile() === true && facts.nlink > 1;
      return visibleNamesIn(inUpper).some((name) => hasSeveral(join(inUpper, name)));
    };
    const left = [...this.#left.things.keys()].map((path) => this.#inside.inUpper(path));
    return [...staying.flatMap(({ upper }) => upper ?? []), ...left].some(hasSeveral);
  }

  async #put(facts: StepFacts, changes: readonly NodeChange[]): Promise<Kept> {
    if (changes.length === 0) return { problems: [] };
    const sources = changes.flatMap(({ source }) => source ?? []);
    const close = this.#request.covered.map(({ upper }) =>
      openAround(
        upper,
        sources.filter((path) => isWithin(path, upper)),
      ),
    );
    try {
      return await this.#request.store.keep(facts, changes);
    } finally {
      for (const each of close) each();
    }
  }

  async #discard({ caught }: Looked): Promise<Kept> {
    this.#note([]);
    const held = this.#held();
    await this.#drop(caught, held, "all");
    const swept = await this.#sweep(held);
    await this.#refresh();
    await this.#reveal([...caught.map(({ path }) => path), ...swept], held, () => true);
    this.#note();
    const isLost = ({ path, before, after }: Caught) =>
      after?.kind === "file" && before?.kind !== "file" && held.open.has(path);
    const open = caught.filter(isLost);
    const lost = open.map(({ path }) => `A program still has ${path} open: what it writes there from now on is lost.`);
    // It does not know that the file is shorter now, and goes on where it was.
    const written = caught.filter(
      ({ path, before, after }) => before?.kind === "file" && after?.kind === "file" && held.open.has(path),
    );
    const gaps = written.map(
      ({ path }) =>
        `A program still has ${nameOf(path, "file", this.roots)} open. Unless it appends to it, empty bytes will stand where the discarded part was.`,
    );
    return { problems: [...lost, ...gaps, ...this.#said.splice(0)] };
  }

  /** Takes what was caught out of the layer: all of it, or only some. */
  async #drop(caught: readonly Caught[], held: Held, how: "all" | "some"): Promise<void> {
    for (const { path, change, before, hiding, veiled } of caught) {
      if (change === "mode" && before?.kind === "folder") {
        await this.#inside.chmod(path, before.mode);
        continue;
      }
      // One thing at a time where the folder around it stays.
      const around = hiding && how === "all" ? undefined : (hiding ?? veiled);
      if (around && isHeld(around, held.paths)) {
        const left = { ...this.#left, blind: new Set([...this.#left.blind, around]) };
        await this.#inside.takeOut(path, held, left);
      } else await this.#inside.takeOut(hiding ?? path, held, this.#left);
    }
  }

  /** The real tree is right: what processes hold of another one is not found under its name any more. */
  async #update({ root, upper }: Covered, held: Held): Promise<void> {
    const { gone, modes, missing } = findOutdated({ root, upper, left: this.#left, settled: this.#settled });
    for (const { path, mode } of modes) await this.#inside.chmod(path, mode);
    for (const path of gone) {
      if (!(await this.#inside.takeOut(path, held, this.#left)) && held.open.has(path))
        this.#said.push(`${path} was deleted while a program had it open: what that writes there is lost.`);
    }
    for (const path of missing) await this.#inside.bringIn(path);
    this.#inside.checkGone(gone);
  }

  /** What steps that were undone meanwhile have brought back may be what a process still holds another version of. */
  async #revealUndone(held: Held, swept: readonly string[]): Promise<void> {
    const { store } = this.#request;
    const changed = mtimeOf(store.folder);
    const kept = changed === this.#storeChanged ? [] : store.list().flatMap(({ files }) => files);
    this.#storeChanged = changed;
    const settled = this.#settled;
    await this.#reveal([...swept, ...kept.map(({ path }) => path)], held, ({ ctimeMs }) => ctimeMs > settled);
  }

  /** Where something stays in the layer. */
  async #reveal(paths: readonly string[], held: Held, cameBack: (real: Stats) => boolean): Promise<void> {
    if (held.open.size === 0 && this.#left.things.size === 0) this.#inside.forgetRevealed();
    else if (this.#inside.reveal(paths, cameBack)) await this.#refresh();
  }

  /** So that what is written through memory from now on shows in the time of the file. */
  #writeBack({ upper, after }: Caught): void {
    if (upper === undefined || after?.kind !== "file") return;
    const file = openSync(raw(upper), "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  #note(keeping?: LayerState["keeping"]): void {
    this.#settled = Date.now();
    this.#storeChanged = mtimeOf(this.#request.store.folder);
    writeState(this.#request.folder, { since: this.#since, left: this.#left, ...(keeping && { keeping }) });
  }

  #startedSince(): number[] {
    const newest = newestProcess();
    if (newest === this.#newest) return [];
    // Numbers begin anew when they have all been used.
    const isNewer = (pid: number): boolean =>
      newest > this.#newest ? pid > this.#newest && pid <= newest : pid > this.#newest || pid <= newest;
    // What a session needs that has only just been started is no doing of its block.
    const fresh = new Set([...this.#own].filter(isNewer));
    return this.#members().filter((pid) => isNewer(pid) && !this.#own.has(pid) && !descendsFrom(pid, fresh));
  }

  /** Also the places of other file systems: nothing lets go of them. */
  #held(): Held {
    const members = this.#members();
    const held = pathsHeld(members, this.roots);
    this.#hadOpen = held.open.size > 0;
    for (const path of [...this.#request.mounts, ...(this.sandbox?.held ?? [])]) held.paths.add(path);
    const names = socketNames(members, this.roots);
    for (const { root, upper } of names.length > 0 ? this.#request.covered : [])
      for (const path of socketsIn(upper, root, names)) {
        held.paths.add(path);
        held.sockets.add(path);
      }
    return held;
  }

  /** Empties the layer of what the real tree has as well and nobody holds: of what is returned. */
  async #sweep({ paths }: Held): Promise<string[]> {
    // What the sessions see tells which folders hide the real ones.
    if ([...paths].some((path) => !this.roots.includes(path))) await this.#refresh();
    const things: [string, Left][] = [];
    const blind: string[] = [];
    const gone: string[] = [];
    for (const { root, upper } of this.#request.covered) {
      const stays = sweepUpper({ root, upper, view: this.view(root), held: paths, left: this.#left });
      things.push(...stays.things);
      blind.push(...stays.blind);
      gone.push(...stays.gone);
    }
    this.#left = { things: new Map(things), blind: new Set(blind) };
    return gone;
  }

  /** The kernel forgets what it knows of the folders below and looks again. */
  async #refresh(): Promise<void> {
    for (const root of this.roots) {
      const problem = await this.#request.holder.run("mount", "-o", "remount", root);
      if (problem !== undefined) throw new Error(`The write layer over ${root} does not answer: ${problem}.`);
    }
  }

  hintsIn(output: string): string[] {
    return hints.filter(([sign]) => sign.test(output)).map(([, sentence]) => sentence);
  }

  tooBig(paths: readonly string[]): readonly string[] {
    const { limit, covered } = this.#request;
    const within = paths.filter((path) => this.roots.some((root) => isWithin(path, root)));
    return tooBigFor(within, limit, covered[0]!.upper);
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    this.sandbox?.close();
    this.#request.holder.close();
    this.#request.onClose();
  }
}

const mtimeOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
const modeOf = (path: string): number => lstatSync(raw(path)).mode & 0o7777;
