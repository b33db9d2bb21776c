// Runs inside a session with a real keyring: keeps, finds, moves and forgets keys, and watches every command line meanwhile.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { findKey, forgetKey, keepKey, keptKeys } from "../../src/settings/keys/index.ts";

const owner = { name: "anthropic", label: "Anthropic", variables: ["ANTHROPIC_API_KEY"] };
const key = "sk-planted-4711 with $quotes'\"";
const find = async () => (await findKey(owner, process.cwd())) ?? null;

/** Looks at all command lines, over and over, from a thread of its own. */
const sighted = new Int32Array(new SharedArrayBuffer(4));
const watcher = new Worker(
  `const { readdirSync, readFileSync } = require("node:fs");
   const { parentPort, workerData: sighted } = require("node:worker_threads");
   const seen = new Set();
   let watched = false;
   const look = () => {
     for (const pid of readdirSync("/proc").filter((name) => /^\\d+$/.test(name))) {
       for (const file of ["cmdline", "environ"]) {
         let text = "";
         try { text = readFileSync("/proc/" + pid + "/" + file, "utf8"); } catch {}
         if (file === "cmdline" && text.startsWith("secret-tool")) { watched = true; Atomics.store(sighted, 0, 1); }
         if (text.includes("planted")) seen.add(text);
       }
     }
   };
   const timer = setInterval(look, 1);
   parentPort.on("message", () => { clearInterval(timer); parentPort.postMessage({ seen: [...seen], watched }); parentPort.close(); });`,
  { eval: true, workerData: sighted },
);
await new Promise((resolve) => watcher.once("online", resolve));

const before = await find();
await keepKey(owner, key, "keyring");
const kept = keptKeys();
const folder = process.env.INTERPRETER_HOME!;
const file = readdirSync(folder)
  .map((name) => readFileSync(join(folder, name), "utf8").replace(/\s+/g, ""))
  .join();
const found = await find();
// Programs that live for a moment are easily missed: it is asked for until one of them was seen.
for (let times = 0; times < 500 && (times < 20 || Atomics.load(sighted, 0) === 0); times++) await find();
await keepKey(owner, "in-file", "file");
const moved = await find();
await forgetKey(owner);
const afterMove = await find();
await keepKey(owner, key, "keyring");
const forgotten = await forgetKey(owner);
const afterwards = await find();
const report = new Promise<object>((resolve) => watcher.once("message", resolve));
watcher.postMessage("report");
const watch = await report;
process.stdout.write(
  `${JSON.stringify({ before, kept, file, found, moved, afterMove, forgotten, afterwards, ...watch })}\n`,
);
