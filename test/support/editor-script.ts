// The input editor alone, for a terminal: reads messages and shows each as JSON. Arguments: a JSON object of what to do.

import { setTimeout as sleep } from "node:timers/promises";
import { list } from "../../src/terminal/editor/mentions.ts";
import { LineReader } from "../../src/terminal/line-reader.ts";

interface Script {
  history?: string;
  plain?: boolean;
  /** What Tab offers. */
  offers?: string[];
  /** Asked before the first message. */
  hidden?: string;
  question?: string;
  /** Works for so long (ms) before the first message. */
  work?: number;
  pid?: boolean;
}

const script = JSON.parse(process.argv[2] ?? "{}") as Script;
const lines = new LineReader(process.stdin, process.stdout, script);
lines.goesOn = (text) => (text.endsWith("\\") ? "replace" : undefined);
lines.onInterrupt = () => {
  if (lines.draft === "") lines.say("interrupted\n");
  else lines.clear();
};
lines.onStray = (line) => process.stdout.write(`stray ${JSON.stringify(line)}\n`);
lines.onClipboard = () => lines.say("clipboard\n");
lines.onTab = async (before) => {
  const replaced = /\S*$/.exec(before)![0];
  const names = script.offers ?? (await list(process.cwd()));
  return {
    matches: names.filter((name) => name.startsWith(replaced)).map((text) => ({ text, note: "a note" })),
    replaced,
  };
};
process.stdout.write("ready\n");
if (script.pid) process.stdout.write(`pid ${process.pid}\n`);
if (script.work) {
  await sleep(script.work);
  process.stdout.write(`ahead ${JSON.stringify(lines.typedAhead)}\n`);
}
for (const hidden of [true, false]) {
  const prompt = hidden ? script.hidden : script.question;
  if (prompt) process.stdout.write(`answer ${JSON.stringify(await lines.line(prompt, { hidden }))}\n`);
}
for (;;) {
  const text = await lines.line("> ", { message: true });
  if (text === undefined) break;
  process.stdout.write(`got ${JSON.stringify(text)}\n`);
}
process.stdout.write("bye\n");
