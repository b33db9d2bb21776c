// Whenever the program is killed, the folder is afterwards as before or as after what it was doing, and it is said which.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { protect } from "../../../src/machine/effects/protect.ts";
import { type Tree, treeOf, whyNoLayer } from "../../support/protected-folder.ts";

const noLayer = whyNoLayer();
const script = join(import.meta.dirname, "until-killed.ts");
/** So many moments are tried of each. */
const times = Number(process.env.KILLS ?? 3);

interface Killed {
  /** As before, or as after. */
  tree: "before" | "after" | "some" | Tree;
  news: readonly string[];
  /** Whether it had come to an end by itself. */
  done: boolean;
}

async function killed(what: string, asks: "asks" | "never", delay: number): Promise<Killed> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "killed-")));
  const [folder, data] = [join(base, "work"), join(base, "data")];
  mkdirSync(join(folder, "anew"), { recursive: true });
  for (const name of ["changed", "deleted", "anew/old", "anew/older"]) writeFileSync(join(folder, name), "old");
  const before = treeOf(folder).found;
  try {
    const args = ["--disable-warning=ExperimentalWarning", script, folder, data, asks, what];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    let [said, errors] = ["", ""];
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (said === "") setTimeout(() => child.kill("SIGKILL"), delay);
      said += text;
    });
    await ended;
    expect(errors).toBe("");
    const opened = await protect({ folders: [folder], data, wanted: "auto", plan: false, limit: 1e9, asks: false });
    await opened.protection.close();
    const again = await protect({ folders: [folder], data, wanted: "auto", plan: false, limit: 1e9, asks: false });
    await again.protection.close();
    expect(again.news, "it is said once").toEqual([]);
    const { found } = treeOf(folder);
    const isSame = (other: Tree) => JSON.stringify(found) === JSON.stringify(other);
    const tree = isSame(before) ? "before" : isSame(after) ? "after" : isSame(some) ? "some" : found;
    return { tree, news: opened.news, done: said.includes("done") };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const file = (content: string): Tree[string] => {
  const base = mkdtempSync(join(tmpdir(), "killed-"));
  writeFileSync(join(base, "f"), content);
  const { found } = treeOf(base);
  rmSync(base, { recursive: true });
  return found.f!;
};
const [old, young, folder] = [file("old"), file("new"), "folder 755"];
const many = Array.from({ length: 150 }, (_, number) => number);
const sorted = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).sort(([one], [other]) => (one < other ? -1 : 1)));
/** In the order in which `treeOf` finds things. */
const listed = (tree: Tree): Tree => {
  const names = Object.keys(tree)
    .filter((name) => !name.includes("/"))
    .sort();
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, tree[name]!],
      ...Object.entries(sorted(tree)).filter(([inner]) => inner.startsWith(`${name}/`)),
    ]),
  );
};
const after = listed({
  anew: folder,
  "anew/new": young,
  changed: young,
  many: folder,
  ...Object.fromEntries(
    many.flatMap((number) => [
      [`many${number}`, young],
      [`many/${number}`, young],
    ]),
  ),
});
const some = listed({
  anew: folder,
  "anew/older": old,
  changed: young,
  deleted: old,
  many: folder,
  ...Object.fromEntries(many.map((number) => [`many/${number}`, young])),
});

/** Milliseconds; the first and the last are before it has begun and after it has ended, more or less. */
const delays = Array.from({ length: times }, (_, index) => (index * 60) / times + Math.random() * (60 / times));

describe.skipIf(noLayer !== "")(`killed${noLayer && ` (skipped: ${noLayer})`}`, () => {
  test("while a block runs that is kept without a question: what was written until then is kept", async () => {
    const { tree, news } = await killed("block", "never", 0);
    expect(tree).toBe("after");
    expect(news.join()).toMatch(
      /ended while a block ran\. What that had changed until then was kept: .*\. To take it back: \/undo 1 in the chat, or interpreter undo 1\./,
    );
  });

  test("while a block runs about which somebody would be asked: it is not kept", async () => {
    const { tree, news } = await killed("block", "asks", 0);
    expect(tree).toBe("before");
    expect(news.join()).toMatch(/ended before you had decided about a block\. What it had changed was not kept: /);
  });

  /** What the folder is like, and what the news say, when it had not come to anything and when it was done. */
  const ends = {
    keep: ["before", "after", /was kept|was finished|it was done/],
    "keep some": ["before", "some", /was kept|was finished|it was done/],
    discard: ["after", "before", /was not kept|that was done/],
    undo: ["after", "before", /was undone/],
    redo: ["before", "after", /was redone|was finished/],
  } as const;

  for (const what of ["keep", "keep some", "discard", "undo", "redo"] as const)
    test(`at ${times} moments of ${what === "undo" ? "an" : "a"} ${what}`, async () => {
      const [first, last, sentence] = ends[what];
      for (const delay of delays) {
        // What somebody has decided about is not kept where that was not kept in time.
        const { tree, news, done } = await killed(what, "asks", delay);
        const told = `after ${delay} ms, ${done ? "" : "not "}done: ${news.join(" ")}`;
        expect(what === "discard" ? [last] : [first, last], told).toContainEqual(tree);
        if (done) expect(tree, told).toBe(last);
        for (const each of news) expect(each).toMatch(/^[A-Z].*\.$/s);
        if (news.length > 0 && tree === last) expect(news.join(), told).toMatch(sentence);
        if (news.length > 0 && tree !== last) expect(news.join(), told).toMatch(/as they were before|was not kept/);
      }
    });
});
