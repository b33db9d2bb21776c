// Runs inside a session whose keyring is locked and cannot ask anybody: says what keeping a key comes to.

import { keepKey } from "../../src/settings/keys/index.ts";

const owner = { name: "anthropic", label: "Anthropic", variables: ["ANTHROPIC_API_KEY"] };
await keepKey(owner, "planted", "keyring").catch((error: Error) => process.stdout.write(`${error.message}\n`));
