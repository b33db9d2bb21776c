// Keeping, discarding and undoing a step in trees of different sizes, beside a git checkpoint of the same tree.

import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
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
import { beside, leastOfEach } from "./side-by-side.ts";
import { facts, openWorkspace, run, type Workspace } from "./workspace.ts";

const trees = [
  { name: "1 000 files", files: 1_000 },
  { name: "10 000 files", files: 10_000 },
  { name: "100 000 files", files: 100_000 },
  { name: "a sparse file of 10 GB", files: 1_000, sparse: 10e9 },
];
const inFolder = 100;
const rounds = 10;
const gitRounds = 3;
/** Git reads the sparse file to its end, for a minute and more; the other trees are done before. */
const mostForGit = { sparse: 8_000, files: 120_000 };
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
  const opened = await leastOfEach(3, { layer: () => timed(async () => (await openWorkspace(base, "auto")).close()) });
  const workspace = await openWorkspace(base, "auto");
  const git = openGitCheckpoint(join(base, "git"), folder);
  let gitWorks = false;
  const gitFirst = await timed(() => {
    gitWorks = git.takeFirst(mostForGit[sparse === undefined ? "files" : "sparse"]);
  });
  return { name, workspace, session: await workspace.start(bash), opened: opened.layer, git, gitFirst, gitWorks };
}

interface Measured {
  begin: number;
  look: number;
  keep: number;
  undo: number;
  discard: number;
}

/** A step that is kept and undone, and one that is discarded: the tree is as before. */
async function transaction({ workspace, session }: Tree): Promise<Measured> {
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
  return { begin, look, keep, undo, discard };
}

async function measureAll(open: readonly Tree[]): Promise<Row[]> {
  const best = open.map((): Measured => ({ begin: 1e9, look: 1e9, keep: 1e9, undo: 1e9, discard: 1e9 }));
  for (let round = 0; round < rounds; round++)
    for (const [index, tree] of open.entries()) {
      const took = await transaction(tree);
      for (const name of Object.keys(took) as (keyof Measured)[])
        best[index]![name] = Math.min(best[index]![name], took[name]);
    }
  const rows: Row[] = [];
  for (const [index, tree] of open.entries()) {
    const { name, git, gitFirst, gitWorks, opened, workspace } = tree;
    const ours = best[index]!;
    const first = gitWorks ? "git, first snapshot" : "git, given up after";
    rows.push(beside(`${name}: layer opened`, opened, first, gitFirst));
    if (!gitWorks) {
      for (const [what, value] of named(ours)) rows.push({ what: `${name}: ${what}`, value, unit: "ms", budget });
      continue;
    }
    let snapshot = "";
    const later = await leastOfEach(gitRounds, {
      take: () =>
        timed(() => {
          snapshot = git.take();
        }),
      takeBack() {
        for (const path of changed) appendFileSync(join(workspace.folder, path), "more\n");
        writeFileSync(join(workspace.folder, created), "new\n");
        return timed(() => git.takeBack(snapshot));
      },
    });
    for (const [what, value] of named(ours)) {
      const isBack = what === "undo" || what === "discard";
      const [other, floor] = isBack ? ["git, taken back", later.takeBack] : ["git, snapshot", later.take];
      rows.push(beside(`${name}: ${what}`, value, other as string, floor as number, budget));
    }
  }
  const [small, , large] = best;
  for (const name of ["keep", "discard", "undo"] as const)
    rows.push(beside(`${name} with 100 000 files`, large![name], "with 1 000 files", small![name]));
  return rows;
}

const named = ({ begin, look, keep, discard, undo }: Measured): [string, number][] => [
  ["before a block", begin],
  ["what a block did", look],
  ["keep", keep],
  ["discard", discard],
  ["undo", undo],
];
