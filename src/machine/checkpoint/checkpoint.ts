// Protection where no write layer can be: the tree is looked at before and after a block, and a mirror has what was there.

import { mkdirSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { noEffects } from "../effects/effect.ts";
import type { Pending, Protection } from "../effects/protection.ts";
import type { UndoStore } from "../undo/store.ts";
import { openBefore } from "./before.ts";
import { acceptFacts, isSameInside, judge } from "./judge.ts";
import { openMirror } from "./mirror.ts";
import { type Node, type Saved, takeFacts } from "./node.ts";
import { openPace, type Pace } from "./pace.ts";
import { pendingOf } from "./pending.ts";
import { type Fresh, identityOf, isFresh, saveAll } from "./saving.ts";
import { tooBigIn } from "./sentences.ts";
import { type Difference, openWalk } from "./walk.ts";

export interface CheckpointRequest {
  /** The first is the working folder. */
  roots: readonly string[];
  store: Pick<UndoStore, "folder" | "keep" | "discard">;
  /** Bytes that the mirror may take. */
  limit: number;
  /** Why it is not the layer. */
  why?: string;
  /** The folder of our own files: not watched, should it lie in a root. */
  data: string;
  /** Told how many files are saved, when that takes longer than a second. */
  progress?: (done: number, total: number) => void;
}

/** So many files may be saved before the list of them is written: what it does not have is saved again at the next start. */
const betweenWrites = 1_000;

export function openCheckpoint(request: CheckpointRequest): Protection {
  const { store, limit } = request;
  const roots = outermost(request.roots);
  mkdirSync(store.folder, { recursive: true, mode: 0o700 });
  const mirror = openMirror(store.folder, roots);
  const closing = new AbortController();
  const pace = () => openPace(closing.signal);
  const before = openBefore(mirror, pace);
  const excluded = new Set([request.data, store.folder].map((path) => resolve(path)));
  const fresh: Fresh = new Map();
  let sinceWrite = 0;
  let running: Promise<unknown> = Promise.resolve();
  /** What was changed is with the store, or put back: the tree has to be looked at before anything can be compared with it. */
  let settled = true;
  /** What was found by an earlier look than the last cannot be decided on any more. */
  let looks = 0;

  async function differencesNow(): Promise<Difference[]> {
    const walk = openWalk(pace(), excluded);
    const found: Difference[] = [];
    for (const root of roots) for (const one of await walk.compare(root, mirror.trees, root)) found.push(one);
    return found;
  }

  /** What is there now becomes what was there before the next block. */
  async function begin(): Promise<void> {
    looks++;
    before.takeBack();
    await mirror.load(pace());
    const start = Date.now();
    const differences = await differencesNow();
    const released = new Map<string, Saved>();
    const unseen = await judge([], { mirror, pace: pace(), fresh });
    for (const { before: old, after } of unseen.changes) {
      // Not for anybody who has the facts of the file: it has not the content.
      if (old!.saved) mirror.release(old!.saved);
      Object.assign(old!, { saved: undefined, target: after!.target });
    }
    for (const node of fresh.keys()) if (!isFresh(node, start)) fresh.delete(node);
    for (const difference of differences) await take(difference, released);
    settled = false;
    await saveAll({
      mirror,
      limit,
      pace: pace(),
      released,
      fresh,
      ...(request.progress && { progress: request.progress }),
    });
    sinceWrite += differences.length;
    if (sinceWrite > betweenWrites) await write(pace());
  }

  async function take({ path, parent, name, before: old, after, unknown }: Difference, released: Map<string, Saved>) {
    if (unknown && !after) return;
    if (old && after && !unknown) {
      if (old.kind === "folder" && after.kind === "folder") return takeFacts(old, after);
      if (old.kind === "link" && old.target === after.target) return acceptFacts(path, old, after, fresh);
      // Another name or other permissions, most likely: then what is saved is still right.
      const isSameFile = old.kind === "file" && after.kind === "file" && old.saved && old.inode === after.inode;
      if (isSameFile && (await isSameInside(path, old, after, { mirror, pace: pace() }))) {
        return acceptFacts(path, old, after, fresh);
      }
    }
    if (old) letGo(old, released);
    if (after) parent.set(name, after);
    else parent.delete(name);
    if (after) watchLinks(path, after);
  }

  function watchLinks(path: string, node: Node): void {
    if (node.kind === "link" && isFresh(node, Date.now())) fresh.set(node, path);
    for (const [name, inner] of node.entries ?? []) watchLinks(path + sep + name, inner);
  }

  /** Files that were only moved find their copies again. */
  function letGo(node: Node, released: Map<string, Saved>): void {
    const uncertain = fresh.delete(node);
    for (const inner of node.entries?.values() ?? []) letGo(inner, released);
    if (!node.saved) return;
    const identity = identityOf(node);
    if (uncertain || released.has(identity)) mirror.release(node.saved);
    else released.set(identity, node.saved);
    node.saved = undefined;
  }

  async function pending(): Promise<Pending> {
    if (settled) await begin();
    before.takeBack();
    const judged = await judge(await differencesNow(), { mirror, pace: pace(), fresh });
    const mine = ++looks;
    // What is decided is done to the end, even when it is closed meanwhile.
    const walk = openWalk(openPace(), excluded);
    return pendingOf(judged, {
      ...{ roots, before, store, mirror, walk },
      isCurrent: () => looks === mine,
      inTurn,
      onSettled() {
        settled = true;
      },
    });
  }

  async function write(at: Pace): Promise<void> {
    sinceWrite = 0;
    await mirror.write(new Set(fresh.keys()), at);
  }

  /** One thing at a time. */
  function inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const result = running.then(action);
    running = result.catch(() => undefined);
    return result;
  }

  /** When it is closed meanwhile, as if nothing had been found. */
  const unlessClosed = <Result>(action: () => Promise<Result>, otherwise: Result): Promise<Result> =>
    inTurn(action).catch((error: unknown) => {
      if (closing.signal.aborted) return otherwise;
      throw error;
    });

  const nothing = async () => ({ problems: [] });
  return {
    kind: "checkpoint",
    ...(request.why !== undefined && { why: request.why }),
    roots: request.roots,
    enter: (spawn) => spawn,
    view: (path) => path,
    begin: () => unlessClosed(begin, undefined),
    pending: () => unlessClosed(pending, { effects: noEffects, keep: nothing, discard: nothing }),
    tooBig(paths) {
      return paths.flatMap((path) => {
        const whole = resolve(roots[0] ?? "", path);
        const node = nodeAt(mirror.trees, whole);
        return node ? tooBigIn(whole, node, limit) : [];
      });
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await running;
      looks++;
      before.takeBack();
      await write(openPace()).catch(() => {}); // Then everything is saved again at the next start.
      mirror.close();
    },
  };
}

/** Without those that lie in another one. */
function outermost(roots: readonly string[]): string[] {
  const whole = [...new Set(roots.map((root) => resolve(root)))];
  return whole.filter((root) => !whole.some((other) => other !== root && innerOf(other, root) !== undefined));
}

function innerOf(root: string, path: string): string | undefined {
  const inner = relative(root, path);
  return inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner) ? undefined : inner;
}

function nodeAt(trees: ReadonlyMap<string, Node>, path: string): Node | undefined {
  for (const [root, tree] of trees) {
    const inner = innerOf(root, path);
    if (inner === undefined) continue;
    let node: Node | undefined = tree;
    for (const name of inner === "" ? [] : inner.split(sep)) node = node?.entries?.get(name);
    return node;
  }
  return undefined;
}
