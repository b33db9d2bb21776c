// Opening what protects a workspace, and starting sessions in it: with the write layer, with walls around it, with neither.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Language } from "../src/languages/index.ts";
import { python } from "../src/languages/python/index.ts";
import { bash } from "../src/languages/shell/index.ts";
import { startHolder } from "../src/machine/layer/holder.ts";
import { least, type Row, timed } from "./measure.ts";
import { beside, leastOfEach, timeToOpen } from "./side-by-side.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

const rounds = 12;

export async function measureProtection(): Promise<Row[]> {
  const base = mkdtempSync(join(tmpdir(), "bench-protection-"));
  try {
    return [...(await opening(base)), ...(await starting(base))];
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function holder(alone: boolean) {
  const started = await startHolder({ alone });
  if (typeof started === "string") throw new Error(started);
  return started;
}

async function opening(base: string): Promise<Row[]> {
  const took = await leastOfEach(rounds, {
    holder: () => timeToOpen(() => holder(false)),
    aloneHolder: () => timeToOpen(() => holder(true)),
    layer: () => timeToOpen(() => openWorkspace(base, "auto")),
    walls: () => timeToOpen(() => openWorkspace(base, "auto", true)),
    checkpoint: () => timeToOpen(() => openWorkspace(base, "checkpoint")),
    off: () => timeToOpen(() => openWorkspace(base, "off")),
  });
  // What one more mount costs: a program of its own for each.
  const inside = await holder(false);
  const mount = await least(rounds, () => timed(() => inside.run("mount", "--bind", base, base)));
  inside.close();
  return [
    { what: "open: a namespace with nothing in it (holder)", value: took.holder, unit: "ms" },
    { what: "open: the same, with processes and network apart", value: took.aloneHolder, unit: "ms" },
    { what: "open: one mount in it", value: mount, unit: "ms" },
    beside("open: the layer", took.layer, "holder", took.holder),
    beside("open: the sandbox (layer, mounts, walls, way out)", took.walls, "the layer", took.layer),
    beside("open: checkpoints", took.checkpoint, "the layer", took.layer),
    beside("open: neither", took.off, "the layer", took.layer),
  ];
}

async function starting(base: string): Promise<Row[]> {
  const workspaces: Record<"layer" | "walls" | "off", Workspace> = {
    layer: await openWorkspace(join(base, "1"), "auto"),
    walls: await openWorkspace(join(base, "2"), "auto", true),
    off: await openWorkspace(join(base, "3"), "off"),
  };
  const rows: Row[] = [];
  for (const language of [bash, python] as readonly Language[]) {
    const start = (workspace: Workspace) => () => timeToOpen(() => workspace.start(language));
    const { layer, walls, off } = await leastOfEach(rounds, {
      layer: start(workspaces.layer),
      walls: start(workspaces.walls),
      off: start(workspaces.off),
    });
    rows.push(
      beside(`${language.name} session ready in the layer`, layer, "layer off", off),
      beside(`${language.name} session ready in the sandbox`, walls, "layer off", off),
    );
  }
  await Promise.all(Object.values(workspaces).map((workspace) => workspace.close()));
  return rows;
}
