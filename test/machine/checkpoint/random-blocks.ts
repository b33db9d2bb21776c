// Random blocks of random file operations under a checkpoint, each kept, discarded, kept in part, undone or redone; after each the
// tree is compared with what it has to be. Run as a program (seed, number of blocks, folder) so that it can be run as another user.

import {
  appendFileSync,
  chmodSync,
  closeSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { removeTree } from "../../../src/machine/checkpoint/finish.ts";
import type { Effect } from "../../../src/machine/effects/effect.ts";
import { type Tree, treeOf } from "./tree.ts";
import { facts, openWorkspace } from "./workspace.ts";

/** The same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Random = (below: number) => number;

const namesOf = ["a", "b", "c", "data.csv", ".hidden", "d", "e"];

/** One operation on something in the folder; what the file system refuses is not done. */
export function operate(root: string, random: Random, handles: number[]): string {
  const things = [...treeOf(root).keys()].filter((inner) => inner !== "");
  const any = (): string => join(root, things[random(things.length)] ?? "none");
  const folders = ["", ...things.filter((inner) => lstatSync(join(root, inner)).isDirectory())];
  const place = (): string => join(root, folders[random(folders.length)]!, namesOf[random(namesOf.length)]!);
  const text = (): string => String.fromCharCode(97 + random(26)).repeat(1 + random(8));
  const file = (): string => {
    const files = things.filter((inner) => lstatSync(join(root, inner)).isFile());
    return files.length > 0 ? join(root, files[random(files.length)]!) : place();
  };
  const operations: Record<string, () => void> = {
    create: () => writeFileSync(place(), text(), { flag: "wx" }),
    write: () => writeFileSync(file(), text()),
    "write as much": () => {
      const path = file();
      writeFileSync(path, "z".repeat(lstatSync(path).size));
    },
    append: () => appendFileSync(file(), text()),
    truncate: () => truncateSync(file(), random(4)),
    replace: () => {
      const path = file();
      writeFileSync(`${path}.tmp`, text());
      renameSync(`${path}.tmp`, path);
    },
    "rename over": () => renameSync(file(), file()),
    move: () => renameSync(any(), place()),
    "delete file": () => unlinkSync(file()),
    "delete folder": () => {
      const folder = folders[random(folders.length)]!;
      if (folder !== "") rmSync(join(root, folder), { recursive: true });
    },
    "make folder": () => mkdirSync(place()),
    "make folders": () => mkdirSync(join(place(), "x", "y"), { recursive: true }),
    symlink: () => symlinkSync(["a", "../b", "nowhere"][random(3)]!, place()),
    "hard link": () => linkSync(file(), place()),
    chmod: () => {
      const path = any();
      // What lets nobody in cannot be compared either, except by the superuser.
      const isOpen = process.getuid?.() === 0 || !statSync(path).isDirectory();
      const modes = isOpen ? [0o600, 0o644, 0o755, 0o700, 0o444, 0o555] : [0o755, 0o700, 0o555, 0o750];
      chmodSync(path, modes[random(modes.length)]!);
    },
    touch: () => utimesSync(file(), random(1e9), random(1e9)),
    sparse: () => {
      const handle = openSync(place(), "wx");
      ftruncateSync(handle, 400_000 + random(10));
      writeSync(handle, text(), 300_000);
      closeSync(handle);
    },
    "open and keep open": () => handles.push(openSync(file(), "a")),
    "write to what is open": () => {
      if (handles.length > 0) writeSync(handles[random(handles.length)]!, text());
    },
  };
  const names = Object.keys(operations);
  const name = names[random(names.length)]!;
  try {
    operations[name]!();
    return name;
  } catch {
    return `${name} (refused)`;
  }
}

/** The tree when only some effects are kept: each path is as the effect that it belongs to is decided. */
function partly(root: string, before: Tree, after: Tree, effects: readonly Effect[], kept: ReadonlySet<Effect>): Tree {
  const owner = new Map<string, Effect>();
  const inner = (path: string) => relative(root, path);
  for (const effect of effects) {
    owner.set(`${effect.change === "mode" ? "mode " : ""}${inner(effect.path)}`, effect);
    if (effect.from !== undefined) owner.set(inner(join(root, effect.from)), effect);
  }
  const ownerOf = (path: string): Effect | undefined => {
    for (let at = path; at !== "." && at !== ""; at = dirname(at)) if (owner.has(at)) return owner.get(at);
    return owner.get(`mode ${path}`);
  };
  const tree: Tree = new Map();
  for (const path of [...new Set([...before.keys(), ...after.keys()])]) {
    const effect = ownerOf(path);
    const value = (effect && kept.has(effect) ? after : before).get(path);
    if (value !== undefined) tree.set(path, value);
  }
  return tree;
}

/** Without permissions. */
const contentOf = (line: string | undefined) => line?.replace(/^file \d+/, "file");

/** When files were last changed. */
const timesOf = (root: string): Map<string, number> =>
  new Map(
    [...treeOf(root)]
      .filter(([, line]) => line.startsWith("file"))
      .map(([inner]) => [inner, lstatSync(join(root, inner)).mtimeMs]),
  );

const sorted = (tree: Tree): [string, string][] => [...tree].sort(([one], [other]) => (one < other ? -1 : 1));

/** `data` may be on another file system: then files that are one and the same come back as several. */
export async function randomBlocks(seed: number, blocks: number, folder: string, data?: string): Promise<void> {
  const random = randomFrom(seed);
  mkdirSync(folder, { recursive: true });
  const work = openWorkspace(folder, data);
  const { root, store } = work;
  let protection = work.open();
  const handles: number[] = [];
  const log: string[] = [];
  /** Steps that can be undone and redone, newest last, with the trees around them. */
  let done: { number: number; before: Tree; after: Tree }[] = [];
  let undone: typeof done = [];
  const fail = (what: string, details: unknown): never => {
    const said = typeof details === "string" ? details : JSON.stringify(details, undefined, 1);
    throw new Error(`Seed ${seed}, block ${log.length}: ${what}\n${said}\n${log.slice(-6).join("\n")}`);
  };
  const expectTree = (what: string, wanted: Tree, links = false): void => {
    const [is, should] = [sorted(treeOf(root, { links })), sorted(wanted)];
    if (isDeepStrictEqual(is, should)) return;
    const missing = should.filter((line) => !is.some((other) => isDeepStrictEqual(line, other)));
    const extra = is.filter((line) => !should.some((other) => isDeepStrictEqual(line, other)));
    fail(what, { missing, extra });
  };
  try {
    for (let block = 0; block < blocks; block++) {
      await protection.begin();
      const [before, linked, times] = [treeOf(root), treeOf(root, { links: true }), timesOf(root)];
      // While a step is undone, a name that it made lies aside; what is written to the file's other names is written to it.
      const names = [...times.keys()].map((inner) => lstatSync(join(root, inner)).nlink);
      if (names.some((count) => count > 1)) undone = [];
      const operations = Array.from({ length: 1 + random(6) }, () => operate(root, random, handles));
      const after = treeOf(root);
      const pending = await protection.pending();
      const { effects } = pending;
      log.push(`${operations.join(", ")} → ${effects.files.map(({ change, name }) => `${change} ${name}`).join(", ")}`);
      if (effects.uncovered.length > 0) fail("something was not covered", effects.uncovered);
      if (effects.files.length === 0 && !isDeepStrictEqual(sorted(before), sorted(after)))
        fail("a change was not seen", { before: sorted(before), after: sorted(after) });
      // A file that was only touched is no effect; but a step that it came from sees that it was, and is not undone.
      const isTouched = [...timesOf(root)].some(
        ([path, time]) => time !== times.get(path) && contentOf(before.get(path)) === contentOf(after.get(path)),
      );
      const decision = random(10);
      if (decision < 4) {
        const { number, problems } = await pending.keep(facts);
        if (problems.length > 0) fail("kept with problems", [...problems]);
        expectTree("kept, and other than the block had left it", after);
        if (number !== undefined) {
          done.push({ number, before, after });
          undone = [];
        }
      } else if (decision < 8) {
        const { problems } = await pending.discard();
        if (problems.length > 0) fail("discarded with problems", [...problems]);
        expectTree("discarded, and other than before the block", data ? before : linked, data === undefined);
        const others = [...timesOf(root)].filter(([path, time]) => Math.abs(time - times.get(path)!) > 0.01);
        if (others.length > 0) fail("discarded, and times are others", others);
      } else {
        const kept = new Set(effects.files.filter(() => random(2) === 0));
        const oneFile = (one: Effect, other: Effect) =>
          [one.before?.inode, one.after?.inode].some((inode) =>
            [other.before?.inode, other.after?.inode].includes(inode),
          );
        for (const one of kept) for (const other of effects.files) if (oneFile(one, other)) kept.add(other);
        const { number, problems } = await pending.keep(
          facts,
          [...kept].map(({ path }) => path),
        );
        if (problems.length > 0) fail("kept in part with problems", [...problems]);
        const wanted = partly(root, before, after, effects.files, kept);
        expectTree(`kept in part (${[...kept].map(({ name }) => name)}), and other than that`, wanted);
        if (number !== undefined) {
          done.push({ number, before, after: wanted });
          undone = [];
        }
      }
      log[log.length - 1] += ` ${decision < 4 ? "kept" : decision < 8 ? "discarded" : "kept in part"}`;
      if (isTouched && (decision < 4 || decision >= 8)) done = [];
      if (isTouched) undone = [];
      // A program that writes to a file that it has open writes to it wherever it was moved.
      if (random(2) === 0) for (const handle of handles.splice(0)) closeSync(handle);
      if (handles.length > 0) continue;
      for (let most = random(4); most > 0 && decision !== 0; most--) {
        const step = done.at(-1);
        if (!step) break;
        const { conflicts, problems } = await store.undo([step.number]);
        if (conflicts.length + problems.length > 0) fail(`step ${step.number} not undone`, { conflicts, problems });
        expectTree(`step ${step.number} undone, and other than before it`, step.before);
        undone.push(done.pop()!);
        log.push(`undone ${step.number}`);
      }
      for (let most = random(3); most > 0 && undone.length > 0; most--) {
        const step = undone.at(-1)!;
        const { conflicts, problems } = await store.redo([step.number]);
        if (conflicts.length + problems.length > 0) fail(`step ${step.number} not redone`, { conflicts, problems });
        expectTree(`step ${step.number} redone, and other than after it`, step.after);
        done.push(undone.pop()!);
        log.push(`redone ${step.number}`);
      }
      if (random(12) === 0) {
        await protection.close();
        protection = work.open();
      }
      if (random(8) === 0) {
        operate(root, random, handles);
        done = [];
        undone = [];
        log.push("somebody else did something");
      }
      if (readdirSync(root).length > 40) {
        for (const name of readdirSync(root)) removeTree(join(root, name));
        done = [];
        undone = [];
      }
    }
    await protection.close();
  } finally {
    for (const handle of handles) closeSync(handle);
    work[Symbol.dispose]();
  }
}

if (import.meta.filename === process.argv[1]) {
  const [seed, blocks, folder, data] = process.argv.slice(2);
  await randomBlocks(Number(seed), Number(blocks), folder!, data);
  console.log("all as it has to be");
}
