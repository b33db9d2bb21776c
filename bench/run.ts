// `npm run bench`: prints what our budgets speak of, each beside its floor in the same run. Numbers, not tests.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { measureContext } from "./context.ts";
import { measureConversations } from "./conversations.ts";
import { format, type Row } from "./measure.ts";
import { measurePrivacy } from "./privacy.ts";
import { measurePython } from "./python.ts";
import { measureSessions } from "./sessions.ts";
import { measureStartUp } from "./start-up.ts";
import { measureState } from "./state.ts";

const dist = join(import.meta.dirname, "../dist");
const size = readdirSync(dist).reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
const installed: Row = { what: "installed size", value: size / 1e6, unit: "MB", budget: { value: 60 } };

console.log("| what | ours | beside | ratio | budget |\n|---|---|---|---|---|");
for (const rows of [
  await measureStartUp(),
  [installed],
  await measurePython(),
  await measureSessions(),
  await measureContext(),
  await measureConversations(),
  await measureState(),
  await measurePrivacy(),
]) {
  for (const row of rows) console.log(format(row));
}
