// The collection of cells in test/conformance, in our session and in ipykernel: every difference has a known reason.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readNotebook, toJupyter } from "../bench/conformance/cells.ts";
import { conform } from "../bench/conformance/conform.ts";
import { reasons } from "../bench/conformance/reasons.ts";
import { testPython } from "./support/session.ts";

const folder = join(import.meta.dirname, "conformance");
const names = readdirSync(folder);
const explained = readFileSync(join(import.meta.dirname, "../docs/conformance.md"), "utf8");
const used = new Set<string>();
let compared = 0;

test.each(names)("%s: outputs are as in ipykernel, or the difference is explained", async (name) => {
  const differences = await conform(readNotebook(join(folder, name)), testPython);
  compared++;
  for (const { reason } of differences) if (reason) used.add(reason);
  expect(differences.filter(({ reason }) => reason === undefined)).toEqual([]);
});

test("every known difference is explained in docs/conformance.md", () => {
  for (const reason of reasons) expect(explained).toContain(`| ${reason} |`);
});

afterAll(() => {
  // A reason that explains nothing any more goes.
  if (compared === names.length) expect([...used].sort()).toEqual([...reasons].sort());
});

test("there are enough cells, and they can be had as Jupyter files", () => {
  const notebooks = names.map((name) => readNotebook(join(folder, name)));
  expect(notebooks.reduce((sum, { cells }) => sum + cells.length, 0)).toBeGreaterThan(60);
  for (const notebook of notebooks)
    expect(JSON.parse(toJupyter(notebook)).cells.map(({ source }: { source: string }) => source)).toEqual(
      notebook.cells,
    );
});
