// Does one thing in a protected folder, says so, and waits to be killed: `FOLDER DATA ASKS WHAT`.

import { setTimeout as wait } from "node:timers/promises";
import { protect } from "../../../src/machine/effects/protect.ts";
import { openUndoStore } from "../../../src/machine/undo/store.ts";
import { facts, startHand } from "../../support/protected-folder.ts";

const [, , folder, data, asks, what] = process.argv as [string, string, string, string, string, string];
const request = { folders: [folder], data, wanted: "auto", plan: false, limit: 1e9 } as const;
const { protection } = await protect({ ...request, asks: asks === "asks" });
const hand = await startHand(protection, folder);
const say = (word: string) => process.stdout.write(`${word}\n`);

/** Everything at once: a file changed, one deleted, a folder made anew, and many new ones. */
const change = `put("changed", "new"); os.remove("deleted"); shutil.rmtree("anew"); os.mkdir("anew"); put("anew/new", "new")
os.mkdir("many")
for n in range(150): put(f"many{n}", "new"); put(f"many/{n}", "new")`;

await protection.begin();
await hand.run(change);
if (what === "block") say("now");
else {
  const pending = await protection.pending();
  if (what === "discard") {
    say("now");
    await pending.discard();
  } else if (what === "keep") {
    say("now");
    await pending.keep(facts);
  } else if (what === "keep some") {
    say("now");
    await pending.keep(facts, [`${folder}/changed`, `${folder}/anew/old`, `${folder}/many`]);
  } else {
    const { number } = await pending.keep(facts);
    const store = openUndoStore({ data, roots: [folder], limit: 1e9 });
    if (what === "redo") await store.undo([number!]);
    say("now");
    await (what === "undo" ? store.undo([number!]) : store.redo([number!]));
  }
  say("done");
}
await wait(60_000);
