// Many steps at random, kept, undone and redone in any order, with somebody else at work in the same folder: after each of them the
// files are compared with a model in memory.

import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import type { NodeChange } from "../../../src/machine/undo/change.ts";
import { elsewhere } from "./program.ts";
import { facts, has, place, snapshot } from "./trees.ts";

interface Content {
  text: string;
  mode: number;
}
/** Two names of a file have the same content object. */
type Thing =
  | { kind: "file"; content: Content }
  | { kind: "folder"; mode: number; entries: Map<string, Thing> }
  | { kind: "link"; to: string };
type Folder = Extract<Thing, { kind: "folder" }>;

interface ModelNode {
  path: string;
  way: "swap" | "through" | "mode";
  /** The one of the two that is not in place. */
  other: Thing | undefined;
  otherMode?: number;
  /** What is in place, as text, from when it was put there. */
  placed: string;
  side: "before" | "after";
  /** Parts of it are nodes by themselves. */
  inPart?: boolean;
}

/** The same numbers for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const names = ["a", "b", "c", "d/x", "d/y", "d/e", "d/e/z", "d", "f", "g/h/i"];

function asText(thing: Thing | undefined): string {
  const first = new Map<Content, string>();
  const look = (thing: Thing | undefined, at: string): unknown => {
    if (!thing) return null;
    if (thing.kind === "link") return thing;
    if (thing.kind === "folder") {
      const entries = [...thing.entries].sort(([one], [other]) => (one < other ? -1 : 1));
      return [thing.mode, entries.map(([name, inner]) => [name, look(inner, `${at}/${name}`)])];
    }
    const same = first.get(thing.content);
    first.set(thing.content, same ?? at);
    return same ?? { ...thing.content };
  };
  return JSON.stringify(look(thing, ""));
}

class Model {
  readonly root: Folder = { kind: "folder", mode: 0o755, entries: new Map() };
  readonly steps = new Map<number, ModelNode[]>();

  folderOf(path: string): Folder | undefined {
    let folder: Thing | undefined = this.root;
    for (const name of path.split("/").slice(0, -1))
      folder = folder?.kind === "folder" ? folder.entries.get(name) : undefined;
    return folder?.kind === "folder" ? folder : undefined;
  }

  get = (path: string): Thing | undefined => this.folderOf(path)?.entries.get(path.split("/").at(-1)!);

  set(path: string, thing: Thing | undefined): void {
    const name = path.split("/").at(-1)!;
    if (thing && !this.folderOf(path)) {
      const around = path.split("/").slice(0, -1).join("/");
      this.set(around, { kind: "folder", mode: 0o755, entries: new Map() });
    }
    if (thing) this.folderOf(path)!.entries.set(name, thing);
    else this.folderOf(path)?.entries.delete(name);
  }

  /** In the words of `snapshot`. */
  snapshot(): Record<string, string> {
    const found: Record<string, string> = {};
    const first = new Map<Content, string>();
    const look = (thing: Thing, name: string): void => {
      if (thing.kind === "link") found[name] = `link to ${thing.to}`;
      else if (thing.kind === "folder") {
        found[`${name}/`] = thing.mode.toString(8);
        for (const [inner, each] of [...thing.entries].sort(([one], [other]) => (one < other ? -1 : 1)))
          look(each, name ? `${name}/${inner}` : inner);
      } else {
        const same = first.get(thing.content);
        first.set(thing.content, same ?? name);
        found[name] =
          `${thing.content.mode.toString(8)} ${same === undefined ? thing.content.text : `same as ${same}`}`;
      }
    };
    look(this.root, "");
    return found;
  }

  /** The two things of a node change places. */
  swap(node: ModelNode): void {
    const here = this.get(node.path);
    if (node.way === "mode" && here && here.kind !== "link") {
      const owner = here.kind === "file" ? here.content : here;
      [owner.mode, node.otherMode] = [node.otherMode!, owner.mode];
    } else if (node.way === "through" && here?.kind === "file" && node.other?.kind === "file") {
      const { text, mode } = here.content;
      Object.assign(here.content, node.other.content);
      node.other = { kind: "file", content: { text, mode } };
    } else {
      this.set(node.path, node.other);
      node.other = here;
    }
    node.side = node.side === "after" ? "before" : "after";
  }
}

async function play(seed: number, rounds: number, where?: string): Promise<void> {
  using here = place(where);
  const { root, beside, at, store } = here;
  const model = new Model();
  const below = random(seed);
  let sources = 0;

  const newThing = (shared: Content[], depth = 0): Thing => {
    const kind = below(10);
    if (kind < 6 || depth > 2) {
      const content = { text: "x".repeat(below(4)) + below(1000), mode: [0o644, 0o600, 0o755][below(3)]! };
      // On another file system a name that comes back alone is not one file with the others any more.
      if (!where && shared.length > 0 && below(4) === 0)
        return { kind: "file", content: shared[below(shared.length)]! };
      shared.push(content);
      return { kind: "file", content };
    }
    if (kind < 7) return { kind: "link", to: names[below(names.length)]! };
    const entries = new Map<string, Thing>();
    for (const name of ["x", "y", "e", "h"]) if (below(2)) entries.set(name, newThing(shared, depth + 1));
    return { kind: "folder", mode: [0o755, 0o700][below(2)]!, entries };
  };

  const write = (thing: Thing, path: string, paths: Map<Content, string>): void => {
    if (thing.kind === "link") symlinkSync(thing.to, path);
    else if (thing.kind === "folder") {
      mkdirSync(path);
      for (const [name, inner] of thing.entries) write(inner, join(path, name), paths);
      chmodSync(path, thing.mode);
    } else {
      const same = paths.get(thing.content);
      paths.set(thing.content, same ?? path);
      if (same === undefined) writeFileSync(path, thing.content.text);
      else linkSync(same, path);
      chmodSync(path, thing.content.mode);
    }
  };

  /** Of one step: on the disk as changes, in the model as nodes. */
  const newStep = (): [NodeChange[], (number: number) => void] => {
    const changes: NodeChange[] = [];
    const todo: ((nodes: ModelNode[]) => void)[] = [];
    const taken: string[] = [];
    const shared: Content[] = [];
    const paths = new Map<Content, string>();
    const held = below(4) === 0;
    for (let count = 1 + below(3); count > 0; count--) {
      const path = names[below(names.length)]!;
      if (taken.some((other) => `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`))) continue;
      if (!model.folderOf(path)) continue;
      taken.push(path);
      const now = model.get(path);
      const choice = below(6);
      if (now && now.kind !== "link" && choice === 0) {
        // Of a file with several names, only by themselves: what is whose has no answer when other names are changed as well.
        if (now.kind === "file" && lstatSync(at(path)).nlink > 1) {
          if (changes.length > 0) continue;
          count = 0;
        }
        const owner = now.kind === "file" ? now.content : now;
        const modeAfter = owner.mode ^ 0o050;
        changes.push({ path: at(path), how: "mode", had: true, has: true, modeBefore: owner.mode, modeAfter });
        todo.push((nodes) => {
          const node: ModelNode = {
            path,
            way: "mode",
            other: undefined,
            otherMode: modeAfter,
            placed: "",
            side: "before",
          };
          model.swap(node);
          nodes.push(node);
        });
      } else if (now && choice < 3) {
        changes.push({ path: at(path), how: "whole", had: true, has: false });
        todo.push((nodes) => {
          const node: ModelNode = { path, way: "swap", other: undefined, placed: "", side: "before" };
          model.swap(node);
          nodes.push(node);
        });
      } else {
        const thing = newThing(shared);
        const source = join(beside, `s${sources++}`);
        write(thing, source, paths);
        const isThrough = now?.kind === "file" && thing.kind === "file" && lstatSync(at(path)).nlink > 1;
        changes.push({ path: at(path), how: "whole", source, held, had: now !== undefined, has: true });
        todo.push((nodes) => {
          const node: ModelNode = {
            path,
            way: isThrough ? "through" : "swap",
            other: thing,
            placed: "",
            side: "before",
          };
          // It is not one file with what it was copied from, nor with what it was written out of.
          if (thing.kind === "file" && isThrough) node.other = { kind: "file", content: { ...thing.content } };
          model.swap(node);
          nodes.push(node);
        });
      }
    }
    return [
      changes,
      (number) => {
        const nodes: ModelNode[] = [];
        for (const each of todo) each(nodes);
        for (const node of nodes) node.placed = asText(model.get(node.path));
        model.steps.set(number, nodes);
      },
    ];
  };

  const turn = async (to: "before" | "after", numbers: number[], mustBeDone: boolean): Promise<void> => {
    const changedSince = mustBeDone ? "refuse" : (["refuse", "leave", "overwrite"] as const)[below(3)]!;
    const before = model.snapshot();
    const result = await (to === "before" ? store.undo : store.redo)(numbers, { changedSince });
    expect(result.problems).toEqual([]);
    if (mustBeDone) expect(result.conflicts).toEqual([]);
    if (changedSince === "refuse" && result.conflicts.length > 0) {
      expect(result.done).toEqual([]);
      expect(snapshot(root)).toEqual(before);
      return;
    }
    const moved: string[] = [];
    for (const number of result.done) {
      // Which of them were left is written in the step.
      const { nodes: written } = JSON.parse(
        readFileSync(join(store.folder, "steps", String(number), "step.json"), "utf8"),
      ) as { nodes: { path: string; side: string }[] };
      // A folder in which somebody changed something is left in part: what goes of it is nodes of their own from then on.
      const known = model.steps.get(number)!;
      for (const { path } of written.slice(known.length)) {
        const inner = relative(root, path);
        const side = to === "before" ? "after" : "before";
        known.push({ path: inner, way: "swap", other: undefined, placed: asText(model.get(inner)), side });
        for (const node of known) if (inner.startsWith(`${node.path}/`)) node.inPart = true;
      }
      const nodes = model.steps.get(number)!.filter(({ side }, index) => side !== to && written[index]!.side === to);
      moved.push(...nodes.map(({ path }) => at(path)));
      for (const node of to === "before" ? nodes.toReversed() : nodes) {
        // What nobody was asked about is what the step had put there.
        if (changedSince !== "overwrite" && node.way !== "mode" && !node.inPart)
          expect(asText(model.get(node.path)), node.path).toBe(node.placed);
        model.swap(node);
      }
      for (const node of nodes) node.placed = asText(model.get(node.path));
    }
    expect(result.files).toEqual(moved);
  };

  /** Somebody else. */
  const outside = (): void => {
    const path = names[below(names.length)]!;
    const folder = model.folderOf(path);
    if (!folder) return;
    const now = model.get(path);
    if (!now) {
      const thing = newThing([]);
      write(thing, at(path), new Map());
      model.set(path, thing);
      return;
    }
    const choice = below(4);
    if (now.kind === "file" && choice === 0) {
      now.content.text = `outside ${below(1000)}`;
      writeFileSync(at(path), now.content.text);
    } else if (now.kind === "file" && choice === 1 && !where && !has(at("linked"))) {
      linkSync(at(path), at("linked"));
      model.set("linked", now);
    } else if (choice === 2) {
      rmSync(at(path), { recursive: true });
      model.set(path, undefined);
    } else if (choice === 3 && !has(at("moved"))) {
      renameSync(at(path), at("moved"));
      model.set("moved", now);
      model.set(path, undefined);
    }
  };

  const inState = (state: string): number[] =>
    store.list().flatMap((step) => (step.state === state ? [step.number] : []));
  const some = (numbers: number[]): number[] => numbers.filter(() => below(3) === 0);

  /** Steps that were undone last, in a row, with nothing else since: the way there and back must be free. */
  let undone: number[] = [];
  let quiet: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const choice = below(20);
    if (choice < 9) {
      const [changes, remember] = newStep();
      const { number, problems } = await store.keep(facts, changes);
      expect(problems).toEqual([]);
      if (number !== undefined) {
        remember(number);
        quiet.push(number);
        undone = [];
      }
    } else if (choice < 12 && quiet.length > 0) {
      const numbers = quiet.splice(-1 - below(Math.min(3, quiet.length)));
      await turn("before", numbers, true);
      undone.push(...numbers.toReversed());
    } else if (choice < 14 && undone.length > 0) {
      const numbers = undone.splice(-1 - below(Math.min(3, undone.length))).reverse();
      await turn("after", numbers, true);
      quiet.push(...numbers);
    } else if (choice < 18) {
      const to = below(2) ? "before" : "after";
      await turn(to, some(inState(to === "before" ? "kept" : "undone")), false);
      [quiet, undone] = [[], []];
    } else {
      outside();
      [quiet, undone] = [[], []];
    }
    expect(snapshot(root), `seed ${seed}, round ${round}`).toEqual(model.snapshot());
  }
  expect(readdirSync(root).filter((name) => name.startsWith(".interpreter"))).toEqual([]);
}

describe("steps at random", { timeout: 300_000 }, () => {
  const seeds = (count: number): number[] => [...Array(count).keys()].map((index) => index * 7919 + 11);
  test.each(seeds(12))("leave what the model says (seed %i)", (seed) => play(seed, 60));
  test.skipIf(!elsewhere).each(seeds(4))("on another file system, too (seed %i)", (seed) => play(seed, 40, elsewhere));
});
