// Runs inside a network that leads nowhere: a scripted model on loopback, the built program in a folder of its own, and at
// the end how many packets left. Its one argument is the scenario, its last line the outcome.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish, Place } from "./program.ts";
import { reply, run, scriptedModel } from "./scripted-model.ts";

export interface Scenario {
  /** `MODEL` in them is the scripted model's address, `PORT` its port. */
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** A file in the program's settings folder. */
  settings?: string;
  /** Blocks the model asks to run, each in its language, before it says that it is done. */
  blocks?: [language: string, code: string][];
  /** The model's server sends whoever asks to this address instead. */
  redirect?: string;
  /** Ends the program as soon as something has left, for those that would wait for an answer. */
  untilSent?: boolean;
}

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  /** How often the scripted model was asked for a reply. */
  requests: number;
  /** Packets that left. */
  sent: number;
}

const scenario = JSON.parse(process.argv[2]!) as Scenario;
const sent = () => Number(/out0:\s*(?:\d+\s+){9}(\d+)/.exec(readFileSync("/proc/net/dev", "utf8"))![1]);

const blocks = (scenario.blocks ?? []).map(([language, code]) => run(language, code));
const moved = reply({ status: 302, headers: { location: scenario.redirect ?? "" }, body: {} });
await using model = await scriptedModel((_, index) =>
  scenario.redirect ? moved : (blocks[index] ?? reply("All done.")),
);
using place = new Place();
const fill = (text: string) => text.replaceAll("MODEL", model.origin).replaceAll("PORT", new URL(model.origin).port);
for (const [name, value] of Object.entries(scenario.env ?? {})) place.env[name] = fill(value!);
if (scenario.settings) {
  place.env.INTERPRETER_HOME = place.folder;
  writeFileSync(join(place.folder, "settings.yaml"), fill(scenario.settings));
}
const child = place.start(scenario.args.map(fill));
const watch = setInterval(() => scenario.untilSent && sent() > 0 && child.kill("SIGKILL"), 20);
const finished = await finish(child);
clearInterval(watch);
const outcome: Outcome = { ...finished, requests: model.requests.filter(({ wire }) => wire).length, sent: sent() };
process.stdout.write(`${JSON.stringify(outcome)}\n`);
