// How far a layer has come, written down beside what it catches, so that it can be taken up when its process was killed.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Left, LeftInside } from "./left.ts";

export interface LayerState {
  /** When the last step began, in milliseconds. */
  since: number;
  left: LeftInside;
  /** While a step is being settled: the paths that are kept; all that is not among them is dropped. */
  keeping?: "all" | readonly string[];
}

interface Written {
  since: number;
  things: [string, Left][];
  blind: string[];
  keeping?: LayerState["keeping"];
}

const placeIn = (folder: string): string => join(folder, "state.json");

export function writeState(folder: string, { since, left, keeping }: LayerState): void {
  const written: Written = { since, things: [...left.things], blind: [...left.blind], ...(keeping && { keeping }) };
  writeFileSync(`${placeIn(folder)}.new`, JSON.stringify(written), { mode: 0o600 });
  renameSync(`${placeIn(folder)}.new`, placeIn(folder));
}

/** Undefined where no step has begun. */
export function readState(folder: string): LayerState | undefined {
  try {
    const { since, things, blind, keeping } = JSON.parse(readFileSync(placeIn(folder), "utf8")) as Written;
    return { since, left: { things: new Map(things), blind: new Set(blind) }, ...(keeping && { keeping }) };
  } catch {
    return undefined;
  }
}
