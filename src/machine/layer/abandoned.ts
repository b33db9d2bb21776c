// What a layer had caught when its process was killed: kept where nobody would have been asked, otherwise dropped.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { countWords } from "../effects/counts.ts";
import type { Effect } from "../effects/effect.ts";
import { summaryOf } from "../effects/summary.ts";
import type { UndoStore } from "../undo/store.ts";
import { openLayer } from "./open.ts";
import { abandonedLayers, forgetRecord, type LayerRecord } from "./record.ts";
import { readState } from "./state.ts";
import { removeTree } from "./sweep.ts";

/** Sentences for the person. */
export async function takeUpAbandoned(store: UndoStore, limit: number): Promise<string[]> {
  const news: string[] = [];
  for (const record of abandonedLayers(store.folder)) {
    const said = isEmpty(record) ? undefined : await takeUp(record, store, limit);
    if (said) news.push(said);
    forgetRecord(store.folder, record);
    removeTree(record.folder);
  }
  return news;
}

async function takeUp(record: LayerRecord, store: UndoStore, limit: number): Promise<string | undefined> {
  const { roots, asks } = record;
  const layer = await openLayer({ roots, store, limit, asks, from: record });
  if (typeof layer === "string") return `What a block had changed when the program was ended is lost: ${layer}`;
  try {
    const { keeping } = readState(record.folder) ?? {};
    const { effects, keep, discard } = await layer.pending();
    const paths = Array.isArray(keeping) ? new Set<string>(keeping) : undefined;
    const files = paths ? effects.files.filter(({ path }) => paths.has(path)) : effects.files;
    const what = `${summaryOf({ ...effects, files })} (${named(files)})`;
    if (files.length > 0 && !asks) {
      const asked = "(a block that was cut short when the program was ended)";
      const { number } = await keep({ id: "ended", language: "", code: "", asked }, paths && [...paths]);
      const undo =
        number === undefined ? "" : ` To take it back: /undo ${number} in the chat, or interpreter undo ${number}.`;
      return `The program was ended while a block ran. What that had changed until then was kept: ${what}.${undo}`;
    }
    await discard();
    if (files.length > 0)
      return `The program was ended before you had decided about a block. What it had changed was not kept: ${what}.`;
    if (!keeping) return undefined;
    return `The program was ended while a step was being ${keeping.length === 0 ? "discarded: that" : "kept: it"} was done.`;
  } finally {
    await layer.close();
  }
}

const mostNamed = 5;

function named(files: readonly Effect[]): string {
  const left = files.length - mostNamed;
  const names = files.slice(0, mostNamed).map(({ name, change }) => `${name} ${countWords[change]}`);
  return `${names.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

const isEmpty = ({ folder, roots }: LayerRecord): boolean =>
  readState(folder)?.keeping === undefined &&
  roots.every((_, index) => {
    try {
      return readdirSync(join(folder, String(index), "upper")).length === 0;
    } catch {
      return true;
    }
  });
