// Finishes what a killed process had begun, and says in which state the files are.

import { basename, join, relative } from "node:path";
import { factsOf } from "./facts.ts";
import type { Outcome } from "./journal.ts";
import { whyOf } from "./plain-error.ts";
import { checkAll, doItem, dropIntent, type Intent, type Item, pathsOf, readIntent } from "./turn.ts";
import { journalOf, type Mark, marksIn, readStep, unmark, type Workshop } from "./workshop.ts";

export const isCutShort = (shop: Workshop): boolean => marksIn(shop).length > 0 || readIntent(shop) !== undefined;

/** To be called by whoever has the store for itself. Sentences for the person. */
export async function finishCutShort(shop: Workshop): Promise<string[]> {
  const told: string[] = [];
  const intent = readIntent(shop);
  for (const mark of marksIn(shop)) {
    try {
      // Its folder was there before it was marked, and goes last.
      const isDone = mark.kind === "discards" && !factsOf(join(shop.folder, mark.kind, mark.name));
      if (isDone) told.push("A step that was being discarded when the program ended was discarded.");
      else {
        const outcome = await journalOf(shop, mark, told).goOn(mark.state);
        const isOneOfSeveral = intent?.items.some(({ number }) => String(number) === mark.name);
        if (!isOneOfSeveral) told.push(...sentenceFor(shop, mark, outcome));
      }
      unmark(shop, mark);
    } catch (error) {
      told.push(`${nameOf(mark)} was cut short, and could not be finished: ${whyOf(error)}.`);
    }
  }
  // What could not be finished comes first, the next time.
  if (intent && marksIn(shop).length === 0) await finishIntent(shop, intent, told);
  return told;
}

async function finishIntent(shop: Workshop, { to, items, changedSince }: Intent, told: string[]): Promise<void> {
  const isDone = ({ number }: Item): boolean => readStep(shop, number)?.state === (to === "before" ? "undone" : "kept");
  const word = to === "before" ? "undone" : "redone";
  const names = `Steps ${items.map(({ number }) => number).join(", ")}, which were being ${word} when the program ended,`;
  const files = someOf(shop, [...new Set(items.flatMap((item) => pathsOf(shop, item)))]);
  try {
    for (const item of items.filter((item) => !isDone(item))) {
      // What somebody changed meanwhile stays, unless it was to be overwritten anyway.
      const { items: possible, conflicts } = await checkAll(shop, to, [item.number], changedSince);
      const moving = item.moving.filter((index) => possible[0]?.moving.includes(index));
      await doItem(shop, to, { number: item.number, moving }, told);
      if (changedSince === "leave") told.push(...conflicts.map(({ path, why }) => `${path} stays as it is: ${why}.`));
    }
    told.push(`${names} are ${word}: ${files}.`);
  } catch (error) {
    try {
      const back = to === "before" ? "after" : "before";
      for (const item of items.toReversed()) if (isDone(item)) await doItem(shop, back, item, told);
      told.push(`${names} could not be (${whyOf(error)}), and the files are as they were before: ${files}.`);
    } catch (worse) {
      told.push(`${names} could be neither ${word} nor put back: ${whyOf(error)}; ${whyOf(worse)}.`);
    }
  }
  dropIntent(shop);
}

function nameOf({ kind, name, state }: Mark): string {
  if (kind === "discards") return "Discarding a step";
  return state === "undone" ? `Undoing step ${name}` : `Keeping step ${name}`;
}

function sentenceFor(shop: Workshop, mark: Mark, { ended, record, why }: Outcome): string[] {
  const { kind, name, state } = mark;
  if (!record) return [];
  const files = someOf(
    shop,
    record.nodes.map(({ path }) => path),
  );
  const [doing, done] =
    kind === "discards"
      ? ["discarded", "was discarded"]
      : state === "undone"
        ? ["undone", `was undone (step ${name})`]
        : record.state === "redoing" || record.state === "undone"
          ? ["redone", `was redone (step ${name})`]
          : ["kept", `was finished (step ${name})`];
  const begin = `A step that was being ${doing} when the program ended`;
  if (ended === "finished") return [`${begin} ${done}: ${files}.`];
  const because = why === undefined ? "" : ` (${why})`;
  if (ended === "taken back")
    return [`${begin} could not be${because}, and the files are as they were before: ${files}.`];
  return [`${begin} had not got that far, and the files are as they were before: ${files}.`];
}

function someOf({ roots }: Workshop, paths: readonly string[]): string {
  const names = paths.slice(0, 3).map((path) => {
    const root = roots.find((root) => path.startsWith(root));
    return root === undefined ? path : relative(root, path) || basename(path);
  });
  const more = paths.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}
