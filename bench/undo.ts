// Keeping, discarding and undoing a step in trees of different sizes, beside a git checkpoint of the same tree.

import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "../src/languages/index.ts";
import { bash } from "../src/languages/shell/index.ts";
import { type GitCheckpoint, openGitCheckpoint } from "./git-checkpoint.ts";
import { type Row, timed } from "./measure.ts";
import { beside, leastOfEach, timeToOpen } from "./side-by-side.ts";
import { facts, openWorkspace, run, type Workspace } from "./workspace.ts";

const trees = [
  { name: "1 000 files", files: 1_000 },
  { name: "10 000 files", files: 10_000 },
  { name: "100 000 files", files: 100_000 },
  { name: "a sparse file of 10 GB", files: 1_000, sparse: 10e9 },
];
const inFolder = 100;
const rounds = 40;
/** Git takes its time: it has a turn in every so many rounds. */
const gitEvery = 10;
/** Git reads the sparse file to its end, for a minute and more; the other trees are done before. */
const mostForGit = { sparse: 4_000, files: 120_000 };
const budget = { value: 10 };

interface Tree {
  name: string;
  workspace: Workspace;
  session: Session;
  opened: number;
  git: GitCheckpoint;
  gitFirst: number;
  /** Whether git came to an end. */
  gitWorks: boolean;
}

const changed = ["0/0.txt", "4/50.txt", "9/99.txt"];
const created = "5/new.txt";
const block = `${changed.map((name) => `echo more >> ${name}`).join("; ")}; echo new > ${created}`;

export async function measureUndo(): Promise<Row[]> {
  const base = mkdtempSync(join(tmpdir(), "bench-undo-"));
  try {
    const open: Tree[] = [];
    for (const [index, tree] of trees.entries()) open.push(await openTree(join(base, String(index)), tree));
    // What was made so far is not to be waited for while something else is measured.
    spawnSync("sync");
    const rows = await measureAll(open);
    for (const { session, workspace } of open) {
      await session.close();
      await workspace.close();
    }
    return rows;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function openTree(base: string, { name, files, sparse }: (typeof trees)[number]): Promise<Tree> {
  const folder = join(base, "work");
  for (let at = 0; at < files; at++) {
    const inner = join(folder, String(Math.floor(at / inFolder)));
    if (at % inFolder === 0) mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, `${at % inFolder}.txt`), `file ${at}, and some words that it says\n`);
  }
  if (sparse !== undefined) {
    const file = openSync(join(folder, "data.bin"), "w");
    ftruncateSync(file, sparse);
    closeSync(file);
  }
  const opened = await leastOfEach(3, { layer: () => timeToOpen(() => openWorkspace(base, "auto")) });
  const workspace = await openWorkspace(base, "auto");
  const git = openGitCheckpoint(join(base, "git"), folder);
  let gitWorks = false;
  const gitFirst = await timed(() => {
    gitWorks = git.takeFirst(mostForGit[sparse === undefined ? "files" : "sparse"]);
  });
  return { name, workspace, session: await workspace.start(bash), opened: opened.layer, git, gitFirst, gitWorks };
}

const ours = ["before a block", "what a block did", "keep", "discard", "undo"] as const;
const gits = ["git, snapshot", "git, taken back"] as const;
type Times = Partial<Record<(typeof ours)[number] | (typeof gits)[number], number>>;

/** A step that is kept and undone, and one that is discarded: the tree is as before. */
async function transaction({ workspace, session }: Tree): Promise<Times> {
  const { protection } = workspace;
  const begin = await timed(() => protection.begin());
  await run(session, block);
  protection.blockEnded?.();
  const begun = performance.now();
  const first = await protection.pending();
  const look = performance.now() - begun;
  if (first.effects.files.length !== 4) throw new Error(`Four files were changed, not ${first.effects.files.length}.`);
  let number = 0;
  const keep = await timed(async () => {
    number = (await first.keep(facts)).number!;
  });
  const undo = await timed(() => workspace.undo(number));
  const second = await workspace.step(session, block);
  const discard = await timed(() => second.discard());
  return { "before a block": begin, "what a block did": look, keep, discard, undo };
}

/** The same changes, taken back by git. */
async function gitTransaction({ git, workspace: { folder } }: Tree): Promise<Times> {
  let snapshot = "";
  const take = await timed(() => {
    snapshot = git.take();
  });
  for (const path of changed) appendFileSync(join(folder, path), "more\n");
  writeFileSync(join(folder, created), "new\n");
  const back = await timed(() => git.takeBack(snapshot));
  if (existsSync(join(folder, created))) throw new Error("Git did not take back what is new.");
  return { "git, snapshot": take, "git, taken back": back };
}

/** In turns, so that trees, and git, are disturbed alike. */
async function measureAll(open: readonly Tree[]): Promise<Row[]> {
  const best = open.map((): Times => ({}));
  for (let round = 0; round < rounds; round++)
    for (const [index, tree] of open.entries()) {
      const isForGit = tree.gitWorks && round % gitEvery === 0;
      const took = { ...(await transaction(tree)), ...(isForGit && (await gitTransaction(tree))) };
      for (const name of Object.keys(took) as (keyof Times)[])
        best[index]![name] = Math.min(best[index]![name] ?? Number.POSITIVE_INFINITY, took[name]!);
    }
  const [small, , large] = best;
  return [
    ...open.flatMap((tree, index) => rowsOf(tree, best[index]!)),
    ...(["keep", "discard", "undo"] as const).map((name) =>
      beside(`${name} with 100 000 files`, large![name]!, "with 1 000 files", small![name]!),
    ),
  ];
}

function rowsOf({ name, opened, gitFirst, gitWorks }: Tree, best: Times): Row[] {
  const rows = ours.map((what): Row => {
    const other = what === "undo" || what === "discard" ? "git, taken back" : "git, snapshot";
    return {
      ...{ what: `${name}: ${what}`, value: best[what]!, unit: "ms" },
      ...(gitWorks && { floor: { what: other, value: best[other]! } }),
      ...((what === "keep" || what === "discard") && { budget }),
    };
  });
  const first = gitWorks ? "git, first snapshot" : "git, given up after";
  return [beside(`${name}: layer opened`, opened, first, gitFirst), ...rows];
}
