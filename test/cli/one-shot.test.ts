import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Chunk, createGrammar, foldChunks } from "../../src/messages/index.ts";
import { bin, finish, Place } from "../support/program.ts";
import { reply, run, say, scriptedModel } from "../support/scripted-model.ts";

const use = (url: string) => ["--model", "openai-chat/scripted", "--api_base", url];

describe("one shot", () => {
  test("carries out the words and shows code, output and answer", async () => {
    await using model = await scriptedModel([reply(say("Adding."), run("python", "print(1 + 1)")), "It is 2."]);
    using place = new Place();
    const { code, stdout, stderr } = await place.run(["-y", ...use(model.openai), "add", "one", "and", "one"]);
    expect(stderr).toBe("");
    expect(stdout).toBe("\nAdding.\n\npython\n  print(1 + 1)\n│ 2\n\nIt is 2.\n");
    expect(code).toBe(0);
    expect(model.requests[0]!.body.messages.at(-1)).toEqual({ role: "user", content: "add one and one" });
  });

  test("--plain prints code in fences and output as it is", async () => {
    await using model = await scriptedModel([run("python", "print(1 + 1)"), "It is 2."]);
    using place = new Place();
    const { stdout } = await place.run(["-y", "--plain", ...use(model.openai), "add"]);
    expect(stdout).toBe("\n```python\nprint(1 + 1)\n```\n2\n\nIt is 2.\n");
  });

  test("i want … is a sentence", async () => {
    await using model = await scriptedModel(["ok", "ok"]);
    using place = new Place();
    const command = bin.replace("interpreter.js", "i.js");
    await place.run([...use(model.openai), "want", "a", "chart"], { command });
    await place.run([...use(model.openai), "list", "files"], { command });
    expect(model.requests.map(({ body }) => body.messages.at(-1).content)).toEqual(["I want a chart", "list files"]);
  });

  test("--json prints legal chunks, one a line, and nothing else", async () => {
    await using model = await scriptedModel([run("python", "print(1 + 1)"), "It is 2."]);
    using place = new Place();
    const { stdout, stderr } = await place.run(["-y", "--json", ...use(model.openai), "add"]);
    const chunks = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Chunk);
    const grammar = createGrammar();
    expect(chunks.map(grammar.push).filter(Boolean)).toEqual([]);
    expect(foldChunks(chunks).map(({ content }) => content)).toEqual(["print(1 + 1)", "2\n", "It is 2."]);
    expect(chunks.at(-1)).toEqual({ role: "server", type: "status", content: "complete", code: "done" });
    expect(stderr).toBe("");
  });

  test("what is piped in goes along with the words, whole", async () => {
    await using model = await scriptedModel(["ok", "ok", "ok"]);
    using place = new Place();
    await place.run([...use(model.openai), "sum this"], { input: "1\n2\n3\n" });
    await place.run(use(model.openai), { input: "just say hello\nplease" });
    expect(model.requests[0]!.body.messages.at(-1).content).toBe("sum this\n\nThis was piped in:\n\n1\n2\n3\n");
    expect(model.requests[1]!.body.messages.at(-1).content).toBe("just say hello\nplease");
    const long = "0123456789\n".repeat(20_000);
    await place.run([...use(model.openai), "sum this"], { input: long });
    const told: string = model.requests[2]!.body.messages.at(-1).content;
    expect(told.length).toBeLessThan(3_000);
    expect(readFileSync(/They are in (\S+)/.exec(told)![1]!, "utf8")).toBe(long);
  });

  test("a program that stops reading ends it quietly", async () => {
    await using model = await scriptedModel([run("shell", "yes | head -c 3000000"), "ok"]);
    using place = new Place();
    const child = place.start(["-y", "--json", ...use(model.openai), "go"]);
    child.stdout!.once("data", () => child.stdout!.destroy());
    const { code, stderr } = await finish(child);
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("a gigabyte of output neither fills memory nor the screen", async () => {
    await using model = await scriptedModel([
      run("python", "piece = 'x' * 99 + '\\n'\nfor _ in range(1000): print(piece * 10000, end='')"),
      "ok",
    ]);
    using place = new Place();
    const child = place.start(["-y", ...use(model.openai), "go"]);
    let peak = 0;
    const watch = setInterval(() => {
      const status = existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, "utf8") : "";
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    }, 50);
    const { code, stdout } = await finish(child);
    clearInterval(watch);
    expect(code).toBe(0);
    expect(stdout.length).toBeLessThan(20_000);
    expect(stdout).toContain("9,999,932 of 10,000,000 lines not shown (1.0 GB in all). The whole output: ");
    expect(statSync(/The whole output: (\S+)/.exec(stdout)![1]!).size).toBe(1_000_000_000);
    if (process.platform === "linux") expect(peak).toBeLessThan(400_000);
  });
});

describe("exit codes", () => {
  test("0 when done, 1 when the model failed", async () => {
    await using model = await scriptedModel(["ok", reply({ status: 401, body: { error: { message: "no" } } })]);
    using place = new Place();
    expect((await place.run([...use(model.openai), "hi"])).code).toBe(0);
    const { code, stdout } = await place.run([...use(model.openai), "hi"]);
    expect(code).toBe(1);
    expect(stdout).toContain("401");
  });

  test("3 when code needs approval and nobody is there; nothing waits and nothing runs", async () => {
    await using model = await scriptedModel([run("python", "open('made', 'w')")]);
    using place = new Place();
    const { code, stdout } = await place.run([...use(model.openai), "go"]);
    expect(code).toBe(3);
    expect(stdout).toContain("-y");
    expect(existsSync(join(place.folder, "made"))).toBe(false);
  });

  test("4 at the limit on steps", async () => {
    await using model = await scriptedModel((_, index) => run("python", String(index)));
    using place = new Place();
    expect((await place.run(["-y", "--max_steps", "2", ...use(model.openai), "go"])).code).toBe(4);
  });

  test("130 when interrupted, and the block is stopped", async () => {
    // By its words: inside of a sandbox it has another number.
    const sleeps = `sleep ${100_000 + process.pid}`;
    await using model = await scriptedModel([run("shell", `echo begun; ${sleeps}`)]);
    using place = new Place();
    const child = place.start(["-y", "--json", ...use(model.openai), "go"]);
    child.stdout!.on("data", (text) => {
      if (String(text).includes('"content":"begun')) setTimeout(() => child.kill("SIGINT"), 300);
    });
    const { code } = await finish(child);
    expect(code).toBe(130);
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n")).not.toContain(sleeps);
  });

  test.each<[string, string[], RegExp, RegExp]>([
    ["an unknown flag", ["--modle", "x"], /There is no flag --modle/, /--model/],
    ["a value missing", ["hello", "--model"], /needs a value/, /--model/],
    ["a bad number", ["--temperature", "hot", "hi"], /takes a number, not "hot"/, /./],
    ["a bad address", ["--model", "x", "--api_base", "notaurl", "hi"], /takes an address/, /./],
    ["a Python that is not there", ["--python", "/nowhere", "hi"], /no Python at \/nowhere/, /environment/],
    ["a bad model name", ["--model", "opnai/gpt-5", "hi"], /opnai/, /openai/],
    ["a missing key", ["--model", "openai/gpt-5", "hi"], /key/i, /OPENAI_API_KEY/],
    ["no model at all", ["hi"], /No model is set up/, /OPENAI_API_KEY/],
    ["a missing profile", ["-p", "nowhere", "hi"], /no profile/, /YAML/],
    ["nothing to do", [], /nothing to do/, /For example/],
    ["nothing to continue", ["--continue", "hi"], /no conversation in this folder/, /interpreter/],
  ])("2 for %s, with one plain sentence and a hint, and nothing changed", async (_, args, message, hint) => {
    using place = new Place();
    const { code, stdout, stderr } = await place.run(args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr.split("\n")[0]).toMatch(message);
    expect(stderr).toMatch(hint);
    expect(stderr).not.toMatch(/\bat .*\.js:\d+/);
    expect(readdirSync(place.folder)).toEqual([]);
  });

  test("2 for invalid settings, saying where", async () => {
    using place = new Place();
    mkdirSync(join(place.folder, ".home"));
    writeFileSync(join(place.folder, ".home", "settings.yaml"), "model: x\ntemprature: 1\n");
    const { code, stderr } = await place.run(["hi"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/settings\.yaml:2: temprature is not a setting.\nDid you mean temperature\?/);
  });

  test.skipIf(process.getuid?.() === 0)("2 for a settings file that cannot be read", async () => {
    using place = new Place();
    mkdirSync(join(place.folder, ".home"));
    writeFileSync(join(place.folder, ".home", "settings.yaml"), "model: x\n");
    chmodSync(join(place.folder, ".home", "settings.yaml"), 0);
    expect((await place.run(["hi"])).code).toBe(2);
  });
});

describe("keys", () => {
  test("an API key is in no output, no log and no session", async () => {
    const key = "sk-test-4711-very-secret";
    await using model = await scriptedModel([
      run("python", "import os\nprint('found', [k for k, v in os.environ.items() if 'secret' in v])"),
      reply({ status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } }),
    ]);
    using place = new Place({ OPENAI_API_KEY: key });
    const { stdout, stderr } = await place.run(["-y", ...use(model.openai), "go"]);
    expect(stdout).toContain("found []");
    expect(model.requests[0]!.headers.authorization).toBe(`Bearer ${key}`);
    const [conversation] = readdirSync(join(place.folder, ".home", "conversations"));
    const log = readFileSync(join(place.folder, ".home", "conversations", conversation!, "log.jsonl"), "utf8");
    for (const text of [stdout, stderr, log]) expect(text).not.toContain(key);
  });
});

test("--version and --help say what they should", async () => {
  using place = new Place();
  expect((await place.run(["--version"])).stdout).toMatch(/^Open Interpreter \d+\.\d+\.\d+\n$/);
  expect((await place.run(["--help"])).stdout).toContain("--auto_run");
});

test("the tour runs real code, shows the data and the chart, and says that it is scripted", async () => {
  using place = new Place();
  const { code, stdout } = await place.run(["tour"]);
  expect(code).toBe(0);
  expect(stdout).toContain("scripted conversation");
  expect(stdout).toContain("18 rows");
  expect(stdout).toContain("Station      2681.50");
  const picture = /picture: (\S+)/.exec(stdout)![1]!;
  expect(readFileSync(picture).toString("latin1", 1, 4)).toBe("PNG");
  expect(readFileSync(/The chart is in (\S+)\./.exec(stdout)![1]!).toString("latin1", 1, 4)).toBe("PNG");
});
