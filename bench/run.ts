// `npm run bench`: prints what our budgets speak of, each beside its floor in the same run. Numbers, not tests.
// With names of parts, `node bench/run.ts steps undo`, only those.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { format, type Row } from "./measure.ts";

function measureSize(): Row[] {
  const dist = join(import.meta.dirname, "../dist");
  const size = readdirSync(dist).reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  return [{ what: "installed size", value: size / 1e6, unit: "MB", budget: { value: 60 } }];
}

/** Loaded when they are wanted: some prepare things. */
const parts: Record<string, () => Row[] | Promise<Row[]>> = {
  "start-up": async () => (await import("./start-up.ts")).measureStartUp(),
  size: measureSize,
  python: async () => (await import("./python.ts")).measurePython(),
  sessions: async () => (await import("./sessions.ts")).measureSessions(),
  context: async () => (await import("./context.ts")).measureContext(),
  conversations: async () => (await import("./conversations.ts")).measureConversations(),
  state: async () => (await import("./state.ts")).measureState(),
  privacy: async () => (await import("./privacy.ts")).measurePrivacy(),
  protection: async () => (await import("./protection.ts")).measureProtection(),
  steps: async () => (await import("./steps.ts")).measureSteps(),
  undo: async () => (await import("./undo.ts")).measureUndo(),
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
