// Starts a scripted model by hand: `node test/support/scripted-model/serve.ts script.json [port]`.
// The file holds a list of replies: texts, pieces, or {"pieces": [...], "options": {...}}. Prints its addresses as JSON.

import { readFileSync } from "node:fs";
import { type Script, scriptedModel } from "./server.ts";

const [file, port] = process.argv.slice(2);
const script: Script = file ? JSON.parse(readFileSync(file, "utf8")) : () => "Hello from the scripted model.";
const { origin, openai, responses, anthropic, google, ollama } = await scriptedModel(script, Number(port ?? 0));
console.log(JSON.stringify({ origin, openai, responses, anthropic, google, ollama }));
