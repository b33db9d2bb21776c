// `npm run bench`: prints what our budgets speak of, each beside its floor in the same run. Numbers, not tests.
// With names of parts, `node bench/run.ts steps undo`, only those.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { measureContext } from "./context.ts";
import { measureConversations } from "./conversations.ts";
import { format, type Row } from "./measure.ts";
import { measurePrivacy } from "./privacy.ts";
import { measureProtection } from "./protection.ts";
import { measurePython } from "./python.ts";
import { measureSessions } from "./sessions.ts";
import { measureStartUp } from "./start-up.ts";
import { measureState } from "./state.ts";
import { measureSteps } from "./steps.ts";
import { measureUndo } from "./undo.ts";

function measureSize(): Row[] {
  const dist = join(import.meta.dirname, "../dist");
  const size = readdirSync(dist).reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  return [{ what: "installed size", value: size / 1e6, unit: "MB", budget: { value: 60 } }];
}

const parts: Record<string, () => Row[] | Promise<Row[]>> = {
  "start-up": measureStartUp,
  size: measureSize,
  python: measurePython,
  sessions: measureSessions,
  context: measureContext,
  conversations: measureConversations,
  state: measureState,
  privacy: measurePrivacy,
  protection: measureProtection,
  steps: measureSteps,
  undo: measureUndo,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. There are: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}

console.log("| what | ours | beside | ratio | budget |\n|---|---|---|---|---|");
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const row of await measure()) console.log(format(row));
}
