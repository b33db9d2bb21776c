// What it costs that a step is a transaction: small blocks with the write layer, with checkpoints, and with neither.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Language } from "../src/languages/index.ts";
import { python } from "../src/languages/python/index.ts";
import { bash } from "../src/languages/shell/index.ts";
import { type Row, timed } from "./measure.ts";
import { beside, leastOfEach } from "./side-by-side.ts";
import { facts, openWorkspace, run } from "./workspace.ts";

let written = 0;
const blocks: { what: string; language: Language; code: () => string }[] = [
  { what: "shell `echo hi`", language: bash, code: () => "echo hi" },
  { what: "Python `1+1`", language: python, code: () => "1+1" },
  {
    what: "Python that writes a small file",
    language: python,
    code: () => `with open("small.txt", "w") as file: file.write("${written++}")`,
  },
];

const ways = ["auto", "checkpoint", "off"] as const;
const rounds = 60;

export async function measureSteps(): Promise<Row[]> {
  const base = mkdtempSync(join(tmpdir(), "bench-steps-"));
  try {
    const open = await Promise.all(
      ways.map(async (way) => {
        const folder = join(base, way, "work");
        mkdirSync(folder, { recursive: true });
        for (let file = 0; file < 100; file++) writeFileSync(join(folder, `${file}.txt`), `${file}\n`);
        return openWorkspace(join(base, way), way);
      }),
    );
    const rows: Row[] = [];
    for (const { what, language, code } of blocks) {
      const sessions = await Promise.all(open.map((workspace) => workspace.start(language)));
      const step = (way: number) =>
        timed(async () => void (await (await open[way]!.step(sessions[way]!, code())).keep(facts)));
      const took = await leastOfEach(rounds, {
        layer: () => step(0),
        checkpoint: () => step(1),
        off: () => step(2),
        bare: () => timed(() => run(sessions[2]!, code())),
      });
      await Promise.all(sessions.map((session) => session.close()));
      rows.push(
        beside(`step: ${what}, with the layer`, took.layer, "layer off", took.off),
        beside(`step: ${what}, with checkpoints`, took.checkpoint, "layer off", took.off),
        beside(`step: ${what}, layer off`, took.off, "the block alone", took.bare),
      );
    }
    await Promise.all(open.map((workspace) => workspace.close()));
    return rows;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
