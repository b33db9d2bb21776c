// What a step did, told long after it was kept, from what the store has of it.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeEffect, diffOf, effectsOfStep } from "../../src/machine/effects/describing.ts";
import { findWorkspace } from "../../src/machine/effects/find-workspace.ts";
import type { NodeChange } from "../../src/machine/index.ts";
import { openUndoStore } from "../../src/machine/undo/store.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "step-effects-test-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [data, root] = [join(folder, "data"), join(folder, "work")];
for (const each of [data, root]) mkdirSync(each);
const store = openUndoStore({ data, roots: [root], limit: 1e9 });

/** Gives a file this content, or deletes it. */
function change(name: string, had: boolean, content?: string): NodeChange {
  const source = join(data, `new-${name}`);
  if (content !== undefined) writeFileSync(source, content);
  const has = content !== undefined;
  return { path: join(root, name), how: "whole", had, has, ...(has && { source }) };
}

const told = (number: number) =>
  effectsOfStep(store.folder, number, [root])?.files.map((effect) => [
    effect.change,
    effect.name,
    describeEffect(effect).facts,
    effect.warning,
  ]);

test("kept, taken back and put back, it is told the same, with what it replaced", async () => {
  for (const name of ["gone.txt", "table.csv"]) writeFileSync(join(root, name), "a,b\n1,2\n");
  const { number } = await store.keep({ id: "x", language: "python", code: "x" }, [
    change("gone.txt", true),
    change("table.csv", true, "a,b\n1,2\n3,4\n"),
    change("new.txt", false, "hello\n"),
  ]);
  const expected = [
    ["deleted", "gone.txt", "was txt, 2 lines, 8 B", undefined],
    ["changed", "table.csv", "1 → 2 rows, 2 columns", undefined],
    ["created", "new.txt", "txt, 1 line, 6 B", undefined],
  ];
  expect(told(number!)).toEqual(expected);
  expect(diffOf(effectsOfStep(store.folder, number!, [root])!.files[1]!)).toContain("\n+3,4\n");
  await store.undo([number!]);
  expect(told(number!)).toEqual(expected);
  await store.redo([number!]);
  expect(told(number!)).toEqual(expected);
  writeFileSync(join(root, "new.txt"), "mine, and longer\n");
  expect(told(number!)?.[2]).toEqual(["created", "new.txt", "txt, 1 line, 17 B", "It was changed since."]);
  expect(told(99)).toBeUndefined();
});

test("the workspace is that of the folder, or of the nearest one around it", () => {
  const inner = join(root, "deep/er");
  mkdirSync(inner, { recursive: true });
  expect(findWorkspace(data, inner)?.roots).toEqual([root]);
  expect(findWorkspace(data, folder)).toBeUndefined();
  expect(findWorkspace(join(folder, "none"), inner)).toBeUndefined();
});
