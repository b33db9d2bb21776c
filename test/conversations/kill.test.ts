// The program killed at random moments. INTERPRETER_KILLS says how often; a few hundred take some minutes.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { loadConversation } from "../../src/conversations/index.ts";
import { type Chunk, createFolder, type Message } from "../../src/messages/index.ts";
import { finish, Place } from "../support/program.ts";
import { reply, run, say, scriptedModel } from "../support/scripted-model.ts";

const kills = Number(process.env.INTERPRETER_KILLS ?? 60);

const picture = `
class Picture:
    def _repr_png_(self): return bytes(range(256)) * 40
print("here it comes")
Picture()`;

const script = () => [
  reply(say("word ".repeat(20)), run("python", "for i in range(30): print(i)"), { chunk: 3 }),
  reply(say("A picture:"), run("python", picture), { chunk: 7 }),
  reply(run("shell", "for i in $(seq 1 2500); do echo line $i; done"), { chunk: 9 }),
  reply("and then some more words to the end", { chunk: 3 }),
];

test(`killed ${kills} times at random moments, the log always loads and holds everything that was shown`, async () => {
  using place = new Place();
  const folder = join(place.folder, ".home", "conversations");
  const seen = new Set<string>();
  const ends = new Set<string>();
  for (let kill = 0; kill < kills; kill++) {
    await using model = await scriptedModel(script());
    const said = `try ${kill}`;
    const child = place.start(["-y", "--json", "--model", "openai-chat/scripted", "--api_base", model.openai, said]);
    let printed = "";
    // Sometimes after so many bytes, sometimes after so much time: the moments in between belong to nobody.
    const bytes = kill % 2 ? Math.random() ** 2 * 90_000 : Number.POSITIVE_INFINITY;
    child.stdout!.setEncoding("utf8").on("data", (text) => {
      printed += text;
      if (printed.length > bytes) child.kill("SIGKILL");
    });
    const ended = finish(child);
    if (bytes === Number.POSITIVE_INFINITY) {
      await sleep(50 + Math.random() * 450);
      child.kill("SIGKILL");
    }
    await ended;
    const name = (existsSync(folder) ? readdirSync(folder) : []).find((each) => !seen.has(each));
    if (name) seen.add(name);
    const loaded = name === undefined ? undefined : loadConversation(join(folder, name));
    ends.add(loaded?.messages.at(-1)?.type ?? "nothing");
    holdsAll(printed, loaded?.messages ?? [], said);
    expect(loaded?.problems ?? []).toEqual([]);
  }
  // The moments were not all the same one.
  expect(ends.size).toBeGreaterThan(2);
}, 1_200_000);

function holdsAll(printed: string, messages: readonly Message[], said: string): void {
  const folder = createFolder(5_000);
  const shown: Message[] = [];
  for (const line of printed.split("\n").slice(0, -1)) {
    const message = folder.push(JSON.parse(line) as Chunk);
    if (message) shown.push(message);
  }
  if (messages.length > 0 || shown.length > 0) expect(messages[0]!.content).toBe(said);
  const kept = messages.slice(1);
  expect(kept.slice(0, shown.length).map(brief)).toEqual(shown.map(brief));
  const { open } = folder;
  if (!open || open.content === "") return;
  const rest = kept[shown.length];
  expect(rest, `${open.type} that was being shown`).toBeDefined();
  const whole = rest!.outputFile ? readFileSync(rest!.outputFile, "utf8") : rest!.content;
  const beginning = open.outputFile ? open.content.split("\n\n[…")[0]! : open.content;
  expect(whole.startsWith(beginning)).toBe(true);
}

const brief = ({ role, type, format, content }: Message) => ({ role, type, format, content });
