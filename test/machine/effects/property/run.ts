// Thousands of random operations by a real process in a protected folder, with random decisions about each step, compared with a
// tree in memory after each of them.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Effect } from "../../../../src/machine/effects/effect.ts";
import { facts, type ProtectedFolder, treeOf } from "../../../support/protected-folder.ts";
import { opener, type Way } from "../cases/case.ts";
import { Model, type ModelFile, newFile } from "./model.ts";
import { type Handle, leave, type Operating, operate } from "./operations.ts";
import { openRandom, type Random } from "./random.ts";

export interface PropertyRequest {
  way: Way;
  seed: number;
  operations: number;
}

export interface Tally {
  operations: number;
  steps: number;
  kept: number;
  some: number;
  discarded: number;
  undone: number;
  redone: number;
  edits: number;
}

interface KeptStep {
  number: number;
  before: Model;
  after: Model;
  /** Whether nothing but steps that are undone came after it. */
  isLast: boolean;
}

/** Throws with the seed and what was done last. */
export async function runProperty({ way, seed, operations }: PropertyRequest): Promise<Tally> {
  await using folder = await opener(way)();
  const run = new Run(folder, openRandom(seed));
  try {
    await folder.hand.run(readFileSync(new URL("operations.py", import.meta.url), "utf8"));
    while (run.operating.count < operations) await run.step();
  } catch (error) {
    const last = run.operating.trace.slice(-60).join("\n");
    throw new Error(`${way}, seed ${seed}, after ${run.tally.steps} steps:\n${(error as Error).message}\n${last}`, {
      cause: error,
    });
  }
  return { ...run.tally, operations: run.operating.count };
}

class Run {
  readonly tally: Tally = {
    ...{ operations: 0, steps: 0, kept: 0, some: 0, discarded: 0, undone: 0, redone: 0, edits: 0 },
  };
  readonly operating: Operating;
  readonly #folder: ProtectedFolder;
  readonly #random: Random;
  #real = new Model();
  #kept: KeptStep[] = [];
  #undone: KeptStep[] = [];

  constructor(folder: ProtectedFolder, random: Random) {
    this.#folder = folder;
    this.#random = random;
    this.operating = {
      ...{ root: folder.folder, hand: folder.hand, random, model: new Model(), handles: [], standing: { at: "" } },
      ...{ layered: folder.protection.kind === "layer", several: new Set(), trace: [], count: 0 },
    };
  }

  async step(): Promise<void> {
    const { operating } = this;
    this.tally.steps++;
    if (this.#random.chance(0.25)) await this.#editOutside();
    if (this.#random.chance(0.3)) await this.#undoOrRedo();
    await this.#folder.protection.begin();
    operating.trace.push("begin");
    await this.#enter();
    await this.#compare("at the beginning of a step");
    const operations = 1 + this.#random.number(8);
    for (let done = 0; done < operations; done++) await operate(operating);
    await this.#compareInside(operating.model, "in a step");
    if (operating.layered) this.#compareOutside(this.#real, "before a step is settled");
    await this.#settle();
    await this.#compare("after a step was settled");
  }

  /** What is real is what the process sees now; what it holds is the same as long as nobody put something else there. */
  async #enter(): Promise<void> {
    const { operating } = this;
    const copies = new Map<ModelFile, ModelFile>();
    const was = operating.model;
    operating.model = this.#real.clone(copies, operating.layered);
    operating.several = new Set(operating.model.tree().same.flat());
    for (const handle of operating.handles) {
      const name = handle.file && was.namesOf(handle.file)[0];
      const now = name === undefined ? undefined : operating.model.nodes.get(name);
      const isSame = now?.kind === "file" && handle.file && this.#staysOpen(handle, handle.file, now);
      handle.file = isSame ? now : undefined;
      if (!handle.file || name === undefined) continue;
      // It lies in the layer, and would be copied from there.
      if (operating.layered) handle.file = operating.model.toWrite(name);
    }
    const { standing } = operating;
    const isGone = standing.at !== "" && operating.model.nodes.get(standing.at)?.kind !== "folder";
    if (isGone) await this.#folder.hand.run(`tried(stand, ${JSON.stringify(operating.root)})`);
    if (isGone) standing.at = "";
    await this.#closeHandles(({ file }) => file === undefined);
  }

  /** In a layer a file that is open becomes whatever the real one is; elsewhere that is another file. */
  #staysOpen({ how }: Handle, was: ModelFile, now: ModelFile): boolean {
    if (!this.operating.layered) return now.data.equals(was.data);
    return how !== "memory" || now.data.length >= was.data.length;
  }

  async #settle(): Promise<void> {
    const { operating } = this;
    const pending = await this.#folder.protection.pending();
    const { files } = pending.effects;
    operating.trace.push(`effects: ${files.map(({ change, name }) => `${change} ${name}`).join(", ")}`);
    this.#checkEffects(files);
    this.#checkTimes();
    const lot = this.#random.number(10);
    if (lot < 2) {
      operating.trace.push("discard");
      this.tally.discarded++;
      await pending.discard();
      this.#forgetHeld(files);
      return;
    }
    const before = this.#real;
    const severalNames = [operating.model, before].flatMap((model) => model.tree().same);
    const some = lot < 4 && files.length > 1 && severalNames.length === 0;
    if (some) {
      const chosen = files.filter(() => this.#random.chance(0.5));
      operating.trace.push(`keep ${chosen.map(({ name }) => name).join(", ")}`);
      this.tally.some++;
      const { number, problems } = await pending.keep(
        facts,
        chosen.map(({ path }) => path),
      );
      assert.deepEqual(problems, []);
      const after = before.clone();
      // What stays in the layer for the rest of it is copied: these are other files than those that were there.
      for (const effect of chosen) this.#apply(effect, after, operating.model, "copied");
      this.#forgetHeld(files.filter((effect) => !chosen.includes(effect)));
      this.#settled(number, before, after);
      return;
    }
    operating.trace.push("keep");
    const whole = files.filter(({ change, kind }) => change !== "mode" || kind !== "folder");
    const isTold = (name: string) => whole.some(({ path }) => isWithin(this.#folder.at(name), path));
    this.tally.kept++;
    const { number, problems } = await pending.keep(facts);
    assert.deepEqual(problems, []);
    this.#settled(number, before, operating.layered ? operating.model.settle(before, isTold) : operating.model);
  }

  /** Elsewhere, what has another time and nothing else is no effect, and counts as changed when something is undone. */
  #checkTimes(): void {
    const { model } = this.operating;
    const [was, now] = [this.#real.tree().found, model.tree().found];
    if (this.operating.layered) return;
    const isTouched = [...model.written].some((path) => now[path] !== undefined && now[path] === was[path]);
    if (isTouched) for (const step of [...this.#kept, ...this.#undone]) step.isLast = false;
  }

  #settled(number: number | undefined, before: Model, after: Model): void {
    this.#real = after.clone();
    if (number === undefined) return;
    this.#kept.push({ number, before: before.clone(), after: after.clone(), isLast: true });
    // What was undone before it cannot be put back for certain.
    for (const step of this.#undone) step.isLast = false;
  }

  /** Whoever has one of these open has something that is not there any more. */
  #forgetHeld(dropped: readonly Effect[]): void {
    const { operating } = this;
    const gone = dropped.filter(({ change, kind }) => change !== "mode" || (operating.layered && kind !== "folder"));
    const isGone = (name: string) => gone.some(({ path }) => isWithin(this.#folder.at(name), path));
    for (const handle of operating.handles) {
      const names = handle.file ? operating.model.namesOf(handle.file).filter(isGone) : [];
      // In a layer, what is put back under the same name is still open; it is looked at when the next step begins.
      const stays = operating.layered && names.includes(handle.file?.origin ?? "");
      const real = stays ? this.#real.nodes.get(handle.file!.origin!) : undefined;
      if (real?.kind === "file" && this.#staysOpen(handle, handle.file!, real)) handle.file!.data = real.data;
      else if (names.length > 0) handle.file = undefined;
    }
  }

  #apply(effect: Effect, to: Model, from: Model, how: "moved" | "copied"): void {
    const path = this.#inner(effect.path);
    if (effect.change === "mode") {
      const [old, young] = [to.nodes.get(path), from.nodes.get(path)];
      if (old && young && "mode" in old && "mode" in young) old.mode = young.mode;
      return;
    }
    to.take(path, from, how);
    if (effect.change === "renamed") to.delete(effect.from!.replace(/\/$/, ""));
  }

  #inner(path: string): string {
    return path.slice(this.#folder.folder.length + 1);
  }

  /** Each difference is told, and nothing else. */
  #checkEffects(files: readonly Effect[]): void {
    const [was, now] = [this.#real.tree().found, this.operating.model.tree().found];
    const different = Object.keys({ ...was, ...now }).filter((path) => was[path] !== now[path]);
    const told = files.flatMap(({ path, from, change, kind }) => {
      const whole = change !== "mode" || kind !== "folder";
      return [
        { path: this.#inner(path), whole },
        ...(from === undefined ? [] : [{ path: from.replace(/\/$/, ""), whole }]),
      ];
    });
    const untold = different.filter(
      (path) => !told.some((each) => each.path === path || (each.whole && isWithin(path, each.path))),
    );
    assert.deepEqual(untold, [], "differences that are not told");
    // What was written anew with what it had may be told.
    const { written } = this.operating.model;
    const idle = told.filter((each) => ![...different, ...written].some((path) => isWithin(path, each.path)));
    assert.deepEqual(idle, [], "effects that are no differences");
  }

  async #undoOrRedo(): Promise<void> {
    const redo = this.#undone.length > 0 && this.#random.chance(0.4);
    const step = redo ? this.#undone.at(-1) : this.#kept.at(-1);
    if (!step || (!this.operating.layered && this.#hasSeveralNames(step))) return;
    // Elsewhere it is the same file that lies aside then, and would be written to.
    if (!this.operating.layered) await this.#closeHandles();
    for (const path of this.#real.paths("folder")) await this.#leaveChanged(path, redo ? step.after : step.before);
    this.operating.trace.push(`${redo ? "redo" : "undo"} ${step.number}`);
    const store = this.#folder.store;
    const all = store.list().find(({ number }) => number === step.number)!.files;
    const result = await (redo ? store.redo([step.number]) : store.undo([step.number]));
    // What somebody had brought about already is not done again.
    const nodes = all.filter(({ path }) => step.isLast || result.files.includes(path));
    assert.deepEqual(result.problems, []);
    if (result.done.length === 0) {
      assert.ok(!step.isLast, `refused although nothing came between: ${JSON.stringify(result.conflicts)}`);
      assert.ok(result.conflicts.length > 0);
      this.operating.trace.push("  → refused");
      this.#compareOutside(this.#real, "after it was refused");
      // It stays in the way of the others.
      (redo ? this.#undone : this.#kept).pop();
      return;
    }
    const real = this.#real.clone();
    const source = redo ? step.after : step.before;
    for (const { path, change } of redo ? nodes : nodes.toReversed()) {
      const effect = { path, change: change === "mode" ? "mode" : "changed" } as Effect;
      this.#apply(effect, real, source, this.operating.layered ? "moved" : "copied");
      if (real.nodes.has(this.#inner(path))) real.makeAround(this.#inner(path));
    }
    this.#real = real;
    this.tally[redo ? "redone" : "undone"]++;
    (redo ? this.#undone : this.#kept).pop();
    (redo ? this.#kept : this.#undone).push(step);
    this.#compareOutside(this.#real, "after it was done");
  }

  /** What becomes of names of one file when only some of them are put back is not promised where copies are made. */
  #hasSeveralNames({ number, before, after }: KeptStep): boolean {
    const several = [before, after].flatMap((model) => model.tree().same.flat()).map((name) => this.#folder.at(name));
    const nodes = this.#folder.store.list().find((step) => step.number === number)!.files;
    return nodes.some(({ path }) => several.some((name) => isWithin(name, path)));
  }

  /** Of a folder that goes. */
  async #leaveChanged(path: string, to: Model): Promise<void> {
    if (to.nodes.get(path)?.kind !== "folder") await leave(this.operating, path);
  }

  async #closeHandles(which: (handle: Handle) => boolean = () => true): Promise<void> {
    const { operating } = this;
    for (const { key } of operating.handles.filter(which)) await this.#folder.hand.run(`tried(let_go, "${key}")`);
    operating.handles = operating.handles.filter((handle) => !which(handle));
  }

  /** As a person with an editor. */
  async #editOutside(): Promise<void> {
    const real = this.#real;
    const random = this.#random;
    if (!this.operating.layered) await this.#closeHandles();
    for (const step of [...this.#kept, ...this.#undone]) step.isLast = false;
    for (let edits = 1 + random.number(3); edits > 0; edits--) {
      this.tally.edits++;
      const path = random.pick([...real.paths(), ""]);
      const node = real.nodes.get(path);
      const at = this.#folder.at(path);
      const data = Buffer.from(`edited ${this.operating.count} ${edits}`);
      const lot = random.number(5);
      if (!node || lot === 0) {
        const folder = node?.kind === "folder" ? `${path}/` : "";
        const name = `${folder}edit${random.number(4)}`;
        if (real.nodes.has(name)) continue;
        this.operating.trace.push(`outside: create ${name}`);
        if (random.chance(0.7)) {
          writeFileSync(this.#folder.at(name), data);
          chmodSync(this.#folder.at(name), 0o644);
          real.nodes.set(name, newFile(data));
        } else {
          mkdirSync(this.#folder.at(name));
          chmodSync(this.#folder.at(name), 0o755);
          real.nodes.set(name, { kind: "folder", mode: 0o755 });
        }
      } else if (lot === 1) {
        if (node.kind === "folder") await leave(this.operating, path);
        this.operating.trace.push(`outside: delete ${path}`);
        rmSync(at, { recursive: true });
        real.delete(path);
      } else if (node.kind === "file" && lot === 2) {
        this.operating.trace.push(`outside: replace ${path}`);
        writeFileSync(`${at}.part`, data);
        chmodSync(`${at}.part`, 0o644);
        renameSync(`${at}.part`, at);
        real.nodes.set(path, newFile(data));
      } else if (node.kind === "file" && node.mode & 0o200) {
        this.operating.trace.push(`outside: write ${path}`);
        writeFileSync(at, data);
        node.data = data;
      } else if (node.kind === "folder") {
        this.operating.trace.push(`outside: chmod ${path}`);
        chmodSync(at, 0o711);
        node.mode = 0o711;
      }
    }
  }

  async #compare(when: string): Promise<void> {
    this.#compareOutside(this.#real, when);
    await this.#compareInside(this.#real, when);
  }

  #compareOutside(model: Model, when: string): void {
    const { found, same } = model.tree();
    const real = treeOf(this.#folder.folder);
    assert.deepEqual(sorted(real.found), sorted(found), `the tree ${when}`);
    // Checkpoints are made of copies: which of them are names of one file is not promised.
    if (this.operating.layered) assert.deepEqual(real.same, same, `which names are one file ${when}`);
    else model.adopt(real.same);
  }

  async #compareInside(model: Model, when: string): Promise<void> {
    const tree = await this.#folder.inside();
    assert.deepEqual(sorted(tree), sorted(model.tree().found), `the tree inside ${when}`);
  }
}

const sorted = (tree: Record<string, string>): string[] =>
  Object.entries(tree)
    .map(([path, what]) => `${path} ${what}`)
    .sort();

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
