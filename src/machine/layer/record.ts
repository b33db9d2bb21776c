// Which layers are open, written down so that what one had caught is found when its process was killed.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Bars } from "../sandbox/later.ts";

export interface LayerRecord {
  /** Where its upper folders lie, one for each root. */
  folder: string;
  roots: string[];
  asks: boolean;
  /** What is not kept of it, where there were walls. */
  bars?: Bars | undefined;
}

interface Written extends LayerRecord {
  pid: number;
  started: string;
}

const placeIn = (storeFolder: string): string => join(storeFolder, "open-layers");
const nameOf = ({ folder }: LayerRecord): string => `${basename(folder)}.json`;

export function writeRecord(storeFolder: string, record: LayerRecord): void {
  mkdirSync(placeIn(storeFolder), { recursive: true, mode: 0o700 });
  const written: Written = { ...record, pid: process.pid, started: startOf(process.pid) };
  writeFileSync(join(placeIn(storeFolder), nameOf(record)), JSON.stringify(written), { mode: 0o600 });
}

export function forgetRecord(storeFolder: string, record: LayerRecord): void {
  rmSync(join(placeIn(storeFolder), nameOf(record)), { force: true });
}

/** Those whose process has ended without closing them. */
export function abandonedLayers(storeFolder: string): LayerRecord[] {
  return recordsIn(placeIn(storeFolder)).filter(({ pid, started }) => startOf(pid) !== started);
}

function recordsIn(place: string): Written[] {
  let names: string[];
  try {
    names = readdirSync(place);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(place, name), "utf8")) as Written];
    } catch {
      return [];
    }
  });
}

/** When a process began, as the system counts: its number may be given to another one. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
