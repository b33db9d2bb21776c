// Writes the parts of docs/ that are made from tables in the source: docs/settings.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsPage } from "../src/settings/page.ts";

writeFileSync(join(import.meta.dirname, "..", "docs", "settings.md"), settingsPage());
