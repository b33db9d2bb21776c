// Runs attacks inside of a sandbox, as whoever started this process, and prints what came of each. Run by attacks.test.ts.

import { Interpreter } from "../../src/interpreter/index.ts";
import type { Attack } from "./attack.ts";
import { persisting } from "./attacks/persisting.ts";
import { processes } from "./attacks/processes.ts";
import { reaching } from "./attacks/reaching.ts";
import { secrets } from "./attacks/secrets.ts";
import { writing } from "./attacks/writing.ts";
import { openPlace } from "./place.ts";

const attacks: Record<string, readonly Attack[]> = { writing, secrets, reaching, processes, persisting };

/** Titles of all, in the order in which they are tried. */
export const titles: readonly string[] = Object.entries(attacks).flatMap(([group, each]) =>
  each.map(({ name }) => `${group}: ${name}`),
);

/** What got through, by the name of the attack; or why nothing could be tried. */
export interface Outcome {
  skipped?: string;
  through: Record<string, string[]>;
  outputs: Record<string, string>;
}

const longest = 20_000;

/** `base` is a folder that is no temporary one; `only` a part of the titles. */
async function run(
  base: string,
  level: "workspace" | "strict",
  only: string,
  layer: "auto" | "checkpoint",
): Promise<Outcome> {
  await using place = await openPlace(base);
  const interpreter = new Interpreter({
    cwd: place.work,
    sandbox: level,
    layer,
    conversation: true,
    autoRun: true,
    env: place.env,
    allowHost: [place.allowed],
    python: process.env.ATTACK_PYTHON ?? "/usr/bin/python3",
  });
  const tell = async (language: string, code: string): Promise<string> => {
    const late = new Promise<string>((resolve) => setTimeout(resolve, longest, "it never came back").unref());
    const said = interpreter.computer.run(language, code).then(
      (messages) => messages.map(({ content }) => String(content)).join("\n"),
      (error: Error) => error.message,
    );
    return Promise.race([said, late]);
  };
  const outcome: Outcome = { through: {}, outputs: {} };
  try {
    // Nothing is proved by attacks that fail for another reason.
    const up = await tell("shell", place.fill("cat {home}/.netrc; cat data.csv; echo kept > kept.txt; cat kept.txt"));
    if (!up.includes("kept") || up.includes(place.secret))
      return { ...outcome, skipped: `there is no sandbox here: ${up}` };
    const proxy = /http:\S+/.exec(await tell("shell", "echo $HTTP_PROXY"))?.[0] ?? "http://127.0.0.1:3128";
    await place.listenLater();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    place.happened("");
    for (const [group, each] of Object.entries(attacks))
      for (const { name, language, code } of each) {
        const title = `${group}: ${name}`;
        if (!title.includes(only)) continue;
        const started = Date.now();
        const whole = withProxy(language === "shell" ? `cd {work}; ${code}` : code, proxy);
        const output = await tell(language, place.fill(whole));
        if (process.env.ATTACK_PROGRESS) console.error(Date.now() - started, title);
        const after = /forging|ending|signal|stopping/.test(title) ? await tell(language, answerIn[language]) : "42";
        const through = place.happened(output);
        if (!after.includes("42")) through.push(`the session does not go on: ${after}`);
        outcome.outputs[title] = output.slice(0, 2_000);
        if (through.length > 0) outcome.through[title] = through;
      }
    await new Promise((resolve) => setTimeout(resolve, 500));
    const later = place.happened("");
    if (later.length > 0) outcome.through["after all of them"] = later;
  } finally {
    await interpreter.close();
  }
  return outcome;
}

/** Attacks know the way out as all code does: where it is, and what is said to it. */
function withProxy(code: string, proxy: string): string {
  const { host, port, username, password } = new URL(proxy);
  const words = Buffer.from(`${username}:${password}`).toString("base64");
  return code
    .replaceAll("{proxy}", username ? `${username}:${password}@${host}` : host)
    .replaceAll("{proxyPort}", port)
    .replaceAll("{proxyWords}", username ? `Proxy-Authorization: Basic ${words}\\r\\n` : "");
}

const answerIn = { shell: "echo $((6 * 7))", python: "print(6 * 7)", javascript: "console.log(6 * 7)" };

if (process.argv[1] === import.meta.filename) {
  const [, , base = "", level = "workspace", only = "", layer = "auto"] = process.argv;
  console.log(JSON.stringify(await run(base, level as "workspace" | "strict", only, layer as "auto" | "checkpoint")));
  process.exit();
}
