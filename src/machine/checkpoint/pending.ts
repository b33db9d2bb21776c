// What a block has changed, told as effects, and kept or put back through the store.

import { sep } from "node:path";
import { withCounts } from "../effects/counts.ts";
import type { Effect, Effects } from "../effects/effect.ts";
import { nameOf } from "../effects/name.ts";
import type { Kept, Pending, StepFacts } from "../effects/protection.ts";
import { inOrder } from "../effects/rank.ts";
import { findRenames } from "../effects/renames.ts";
import { versionOf } from "../effects/version.ts";
import type { NodeChange } from "../undo/change.ts";
import type { UndoStore } from "../undo/store.ts";
import type { Before, Old } from "./before.ts";
import { setTime } from "./finish.ts";
import type { Change, Judged } from "./judge.ts";
import type { Mirror } from "./mirror.ts";
import { countFiles, isUntouched, type Node, type Saved, versionFromNode } from "./node.ts";
import type { FileAt } from "./saving.ts";
import { cannotReturn, changedSince, tooLate } from "./sentences.ts";
import { factsOf, type Walk } from "./walk.ts";

export interface PendingRequest {
  roots: readonly string[];
  before: Before;
  store: Pick<UndoStore, "keep" | "discard">;
  mirror: Mirror;
  walk: Walk;
  /** Whether nobody has looked again since. */
  isCurrent: () => boolean;
  /** Runs it when nothing else does. */
  inTurn: (action: () => Promise<Kept>) => Promise<Kept>;
  onSettled: () => void;
}

/** A change with what the store has to know about it; nothing, where nothing was saved. */
interface Ready extends Change {
  name: string;
  old?: Old;
  forStore?: NodeChange;
}

export async function pendingOf(judged: Judged, request: PendingRequest): Promise<Pending> {
  const { changes, unknown, owners } = judged;
  const { roots, before, store } = request;
  const withOld = changes.filter((change) => change.before && change.change !== "mode");
  const olds = await before.gather(
    withOld.map((change) => change.before!),
    movesIn(changes),
  );
  const oldOf = new Map(withOld.map((change, place) => [change, olds[place]!]));
  const ready = changes.map((change) => makeReady(change, oldOf.get(change), roots));
  const files = inOrder(findRenames(ready.map(effectOf)));
  const folder = (path: string) => nameOf(path, "folder", roots);
  const uncovered = [
    ...ready.flatMap(lossOf),
    ...unknown.map((path) => `What is in ${folder(path)} was not watched: not all of it could be read.`),
    ...owners.map((path) => `${folder(path)} belongs to another user or group now; that cannot be undone.`),
  ];
  const effects: Effects = { files, hosts: [], processes: [], uncovered };
  let settled = false;

  async function discard(list: readonly Ready[]): Promise<Kept> {
    const problems: string[] = [];
    const back: NodeChange[] = [];
    const again: NodeChange[] = [];
    // What stays as the block has left it.
    const left = new Set(ready.map(({ path }) => path));
    for (const { path } of list) left.delete(path);
    for (const each of list) {
      if (!(await isAsItWas(each, request.walk))) {
        problems.push(changedSince(each.name));
        left.add(each.path);
        if (each.forStore) again.push(each.forStore);
        continue;
      }
      if (each.forStore) back.push(each.forStore);
      else left.add(each.path);
      problems.push(...lossOf(each));
    }
    // What somebody changed again stays, and what was there before the block is not lost for it.
    const { number } = again.length > 0 ? await store.keep(discarded, again) : {};
    if (number !== undefined) problems.push(`Step ${number} has what was there before the block: undo brings it back.`);
    const step = number === undefined ? {} : { number };
    if (back.length === 0) return { ...step, problems };
    for (const { path, replaced } of back) if (replaced) left.add(path);
    before.relink(notWrittenInto(list), (saved) => namesIn(request.mirror.trees, saved, left));
    const done = await store.discard(back.sort((one, other) => turnOf(other) - turnOf(one)));
    return { ...step, ...done, problems: [...problems, ...done.problems] };
  }

  async function settle(action: () => Promise<Kept>): Promise<Kept> {
    if (settled) return { problems: [] };
    if (!request.isCurrent()) return { problems: [tooLate] };
    settled = true;
    before.finish();
    let done: Kept;
    try {
      done = await action();
    } catch (error) {
      // Nothing was done: what was there is still at hand the next time somebody asks.
      before.takeBack();
      return { problems: [error instanceof Error ? error.message : String(error)] };
    }
    before.settle();
    request.onSettled();
    return done;
  }

  const inTurn = (action: () => Promise<Kept>) => request.inTurn(() => settle(action));
  return {
    effects,
    keep(facts, only) {
      const kept = new Set(only ? namesOf(files, only, ready) : ready);
      return inTurn(async () => {
        const dropped = await discard(ready.filter((each) => !kept.has(each)));
        const list = ready.filter((each) => kept.has(each)).flatMap(({ forStore }) => forStore ?? []);
        if (list.length === 0) return dropped;
        const done = await store.keep(withCounts(facts, files, only), list);
        return { ...done, problems: [...dropped.problems, ...done.problems] };
      });
    },
    discard: () =>
      inTurn(async () => {
        const done = await discard(ready);
        for (const { path, before: old, after } of judged.touched) {
          const now = versionOf(path);
          if (now && now.inode === after.inode && now.modified === after.mtime) setTime(path, old.mtime);
        }
        return done;
      }),
  };
}

const discarded: StepFacts = { id: "discarded", language: "", code: "" };

const lossOf = ({ name, change, old }: Ready): string[] =>
  old && old.missing.length > 0 ? [cannotReturn(name, change === "deleted" ? change : "changed", old.missing)] : [];

/** Where a file is now that was moved: found by what a move does not change. */
function movesIn(changes: readonly Change[]): (node: Node) => FileAt | undefined {
  const keyOf = ({ inode, size, mtime }: Node) => `${inode} ${size} ${mtime}`;
  const moved = new Map<string, FileAt>();
  const add = (node: Node, path: string): void => {
    if (node.kind === "file") moved.set(keyOf(node), { path, node });
    for (const [name, inner] of node.entries ?? []) add(inner, path + sep + name);
  };
  for (const { change, path, after } of changes) if (change !== "mode" && after) add(after, path);
  return (node) => moved.get(keyOf(node));
}

function makeReady(change: Change, old: Old | undefined, roots: readonly string[]): Ready {
  const { path, before, after } = change;
  const name = nameOf(path, (after ?? before)!.kind, roots);
  const ready = { ...change, name, ...(old && { old }) };
  if (change.change === "mode") {
    const modes = { modeBefore: before!.mode, modeAfter: after!.mode };
    return { ...ready, forStore: { path, how: "mode", had: true, has: true, ...modes } };
  }
  if (before && !old?.path) return ready;
  const forStore: NodeChange = { path, how: "whole", had: before !== undefined, has: after !== undefined };
  if (before?.kind === "file" && after?.kind === "file" && !isWrittenInto(before, after)) forStore.replaced = true;
  return { ...ready, forStore: old?.path ? { ...forStore, old: old.path } : forStore };
}

/** It is the same file, and has names that we do not see: they are to follow. Of all others the names are put back one by one. */
const isWrittenInto = (before: Node, after: Node): boolean =>
  before.inode === after.inode && before.links > (before.saved?.uses ?? before.links);

function effectOf({ path, name, change, before, after, old }: Ready): Effect {
  const kind = (after ?? before)!.kind;
  const folder = change === "created" ? after : change === "deleted" ? before : undefined;
  const warning = warningOf(before, after);
  return {
    path,
    name,
    change,
    kind,
    ...(before && { before: versionFromNode(before) }),
    ...(after && { after: versionFromNode(after), afterPath: path }),
    ...(old?.path && { beforePath: old.path }),
    ...(change === "mode" && { beforePath: path }),
    ...(folder?.entries && { files: countFiles(folder) }),
    ...(warning && { warning }),
  };
}

const me = process.getuid?.();

function warningOf(before: Node | undefined, after: Node | undefined): string | undefined {
  if (before?.kind !== "file") return undefined;
  if (me !== undefined && me !== 0 && before.uid !== me)
    return "It was another user's; brought back it would be yours.";
  if (after && (before.uid !== after.uid || before.gid !== after.gid))
    return "It belongs to another user or group now.";
  const inPlace = after?.inode === before.inode && before.saved;
  if (inPlace && before.links > before.saved!.uses) return "It has another name elsewhere, which has changed with it.";
  return undefined;
}

/** The changes behind the effects with these paths: two, where something was renamed. */
function namesOf(effects: readonly Effect[], only: readonly string[], ready: readonly Ready[]): Ready[] {
  const wanted = new Set(only);
  const chosen = effects.filter(({ path }) => wanted.has(path));
  const [paths, former] = [new Set<string>(), new Set<string>()];
  for (const { path, change, from } of chosen) {
    paths.add(path);
    if (change === "renamed") former.add(from!);
  }
  return ready.filter(({ path, name, change }) => paths.has(path) || (change === "deleted" && former.has(name)));
}

/** Whether what the block left there is still there: what somebody did since must not be lost with it. */
async function isAsItWas({ path, change, after }: Ready, walk: Walk): Promise<boolean> {
  const facts = factsOf(path);
  if (!facts || !after) return !facts && !after;
  if (facts === "hidden") return false;
  if (change === "mode") return (facts.mode & 0o7777) === after.mode;
  if (after.kind !== "folder") return isUntouched(after, facts);
  return (await walk.compare(path, new Map([[path, after]]), path)).length === 0;
}

/**
 * What is put back first: folders are opened, new things make way, folders are closed last. The store takes changes back in the
 * opposite of the order in which they are given.
 */
function turnOf({ how, had, modeBefore, modeAfter }: NodeChange): number {
  if (how === "mode") return modeBefore! & ~modeAfter! & 0o300 ? 0 : 3;
  return had ? 2 : 1;
}

/** Where what was there lies, of all that is not the same file any more. */
const notWrittenInto = (list: readonly Ready[]): Set<string> =>
  new Set(
    list.flatMap(({ before, after, old }) =>
      old?.path && !(after && isWrittenInto(before!, after)) ? [old.path] : [],
    ),
  );

/** A name that each of these files has in the tree now. What the block wrote into it is taken back by one name for all. */
function namesIn(
  trees: ReadonlyMap<string, Node>,
  wanted: ReadonlySet<Saved>,
  except: ReadonlySet<string>,
): Map<Saved, string> {
  const names = new Map<Saved, string>();
  const search = (node: Node, path: string): void => {
    for (const [name, inner] of node.entries ?? []) search(inner, path + sep + name);
    if (!node.saved || !wanted.has(node.saved) || names.has(node.saved) || except.has(path)) return;
    const facts = factsOf(path);
    if (facts && facts !== "hidden" && facts.isFile() && facts.ino === node.inode) names.set(node.saved, path);
  };
  for (const [root, node] of trees) search(node, root);
  return names;
}
