// Finishes what a killed process had begun, and says in which state the files are.

import { basename, relative } from "node:path";
import type { Outcome } from "./journal.ts";
import { whyOf } from "./plain-error.ts";
import { checkAll, doItem, dropIntent, readIntent } from "./turn.ts";
import { journalOf, type Mark, marksIn, readStep, unmark, type Workshop } from "./workshop.ts";

export const isCutShort = (shop: Workshop): boolean => marksIn(shop).length > 0 || readIntent(shop) !== undefined;

/** To be called by whoever has the store for itself. Sentences for the person. */
export async function finishCutShort(shop: Workshop): Promise<string[]> {
  const told: string[] = [];
  for (const mark of marksIn(shop)) {
    try {
      const outcome = await journalOf(shop, mark, told).goOn(mark.state);
      unmark(shop, mark);
      told.push(...sentenceFor(shop, mark, outcome));
    } catch (error) {
      told.push(`${nameOf(mark)} was cut short, and could not be finished: ${whyOf(error)}.`);
    }
  }
  const intent = readIntent(shop);
  if (!intent) return told;
  const state = intent.to === "before" ? "undone" : "kept";
  const left = intent.items.filter(({ number }) => readStep(shop, number)?.state !== state);
  for (const item of left) {
    const mark: Mark = { kind: "steps", name: String(item.number), state };
    try {
      // What somebody changed meanwhile stays.
      const { items, conflicts } = await checkAll(shop, intent.to, [item.number], "leave");
      const moving = item.moving.filter((index) => items[0]?.moving.includes(index));
      const record = readStep(shop, item.number)!;
      await doItem(shop, intent.to, { number: item.number, moving }, told);
      told.push(...sentenceFor(shop, mark, { ended: "finished", record }));
      told.push(...conflicts.map(({ path, why }) => `${path} stays as it is: ${why}.`));
    } catch (error) {
      told.push(`${nameOf(mark)} was cut short, and could not be finished: ${whyOf(error)}.`);
    }
  }
  dropIntent(shop);
  return told;
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
