// Writes the parts of docs/ that are made from tables in the source: docs/settings.md, docs/settings.schema.json
// and docs/commands.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsPage } from "../src/settings/page.ts";
import { settingsSchema } from "../src/settings/schema.ts";
import { commandsPage } from "../src/terminal/commands/page.ts";

const docs = join(import.meta.dirname, "..", "docs");
writeFileSync(join(docs, "settings.md"), settingsPage());
writeFileSync(join(docs, "settings.schema.json"), `${JSON.stringify(settingsSchema(), null, 2)}\n`);
writeFileSync(join(docs, "commands.md"), commandsPage());
