// The table of a turn's files, as it fits a narrow screen.

import { expect, test } from "vitest";
import type { Deliverables } from "../../src/interpreter/index.ts";
import { deliverablesTable } from "../../src/terminal/deliverables.ts";
import { ShownFiles } from "../../src/terminal/pictures/index.ts";
import { createStyle } from "../../src/terminal/style.ts";

test("a warning is broken between words", () => {
  const warning = "It was there before, block 1 read or named it, and block 2 has overwritten it.";
  const turn: Deliverables = {
    files: [
      {
        path: "/desk/a.csv",
        name: "a.csv",
        change: "changed",
        size: 3,
        kind: "csv",
        block: 2,
        language: "python",
        id: "2",
        warning,
      },
    ],
    more: 0,
    counts: [{ change: "changed", what: "file", count: 1 }],
  };
  const options = { columns: 40, style: createStyle(false), files: new ShownFiles(), live: false, env: {} };
  const rows = [...deliverablesTable(turn, options)].join("").split("\n");
  for (const row of rows) expect(row.length).toBeLessThan(40);
  expect(rows.join(" ").replace(/\s+/g, " ")).toContain(`! ${warning}`);
});
