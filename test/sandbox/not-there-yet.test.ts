// What may be written and is not there yet: it is said, holds as soon as it is made, and a yes to a new folder makes that very folder.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { InterpreterOptions } from "../../src/interpreter/index.ts";
import type { PathQuestion } from "../../src/interpreter/sandboxing.ts";
import type { Chunk } from "../../src/messages/index.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { run, type Script } from "../support/scripted-model.ts";

const why = whyNoLayer();

function openPlace() {
  const folder = lastingFolder("not-yet-");
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  for (const each of [home, work]) mkdirSync(each);
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };
  return { home, work, env, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const start = (place: ReturnType<typeof openPlace>, script: Script, options: InterpreterOptions) =>
  startInterpreter(script, { cwd: place.work, env: place.env, sandbox: "workspace", conversation: true, ...options });

const notices = (chunks: readonly Chunk[]) =>
  chunks.filter(({ type }) => type === "notice").map(({ content }) => String(content));
const sentence = "There is no ~/results yet, and code cannot make it. Make it first (mkdir ~/results for a folder";
const write = run("shell", "echo x > ~/results/a");

describe.skipIf(why)(`with walls${why && ` (${why})`}`, () => {
  test("what was allowed at the start is said with the first block, and holds when it was made", async () => {
    using place = openPlace();
    const results = join(place.home, "results");
    await using it = await start(place, [write, "No.", write, "Yes."], { allowWrite: [results, place.work] });
    const { chunks } = await it.tell("go");
    expect(notices(chunks).join("\n")).toContain(sentence);
    expect(existsSync(results)).toBe(false);
    mkdirSync(results);
    expect(notices((await it.tell("again")).chunks)).toEqual([]);
    expect(readFileSync(join(results, "a"), "utf8")).toBe("x\n");
  });

  test("what is allowed later is said at once, and ends with the conversation", async () => {
    using place = openPlace();
    const results = join(place.home, "results");
    await using it = await start(place, [write, "Yes.", write, "No."], {});
    const words = await it.interpreter.rule({ verdict: "allow", kind: "write", pattern: results }, "conversation");
    expect(words).toContain(sentence);
    expect(words).not.toContain("next start");
    mkdirSync(results);
    await it.tell("go");
    expect(readdirSync(results)).toEqual(["a"]);
    rmSync(join(results, "a"));
    await it.interpreter.reset();
    await it.tell("go");
    expect(readdirSync(results)).toEqual([]);
  });

  for (const [language, code] of [
    ["shell", "mkdir -p ~/results/2026; echo x > ~/results/2026/a; echo x > ~/beside"],
    [
      "python",
      "import os\nd = os.path.expanduser('~/results/2026')\nos.makedirs(d, exist_ok=True)\nopen(d + '/a', 'w').write('x\\n')",
    ],
    [
      "javascript",
      "const fs = require('fs'); const d = process.env.HOME + '/results'; fs.existsSync(d) || fs.mkdirSync(d); fs.writeFileSync(d + '/a', 'x\\n')",
    ],
  ] as const)
    test(`a yes to a new folder makes that one, and opens nothing else: ${language}`, async () => {
      using place = openPlace();
      const asked: PathQuestion[] = [];
      const block = run(language, code);
      await using it = await start(place, [block, block, "Done."], {
        askPath: async (question) => {
          asked.push(question);
          return question.path.endsWith("beside") ? "no" : "conversation";
        },
      });
      await it.tell("go");
      const results = join(place.home, "results");
      expect(asked[0]).toEqual({ kind: "write", path: results, allow: results });
      expect(readFileSync(join(results, language === "javascript" ? "a" : "2026/a"), "utf8")).toBe("x\n");
      expect(existsSync(join(place.home, "beside"))).toBe(false);
      expect(JSON.stringify(it.model.requests)).toContain(`The folder ${results} was made for it.`);
    });

  test("a file that is new beside a folder that was made is asked about in its own folder", async () => {
    using place = openPlace();
    const asked: PathQuestion[] = [];
    const code = "import os\nos.makedirs('here', exist_ok=True)\nopen(os.path.expanduser('~/a.csv'), 'w')";
    await using it = await start(place, [run("python", code), "Done."], {
      askPath: async (question) => {
        asked.push(question);
        return "no";
      },
    });
    await it.tell("go");
    expect(asked).toEqual([{ kind: "write", path: join(place.home, "a.csv"), allow: place.home }]);
  });
});
