import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allProviders } from "../../src/models/index.ts";
import { Place } from "../support/program.ts";
import { reply, run, type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

/** Another one in every run: command lines of the whole machine are looked at. */
const key = `planted-${randomUUID()}`;

/** A hosted provider whose address is the person's own: what the program does without a key can be seen to the end. */
const azure = (model: ScriptedModel) => [
  "--model",
  "azure/deployment",
  "--api_base",
  model.origin,
  "--api_version",
  "2024-10-21",
];

const keysFile = (place: Place) => join(place.folder, ".home", "keys.json");

function keep(place: Place, keys: object): void {
  mkdirSync(join(place.folder, ".home"), { mode: 0o700 });
  writeFileSync(keysFile(place), JSON.stringify(keys), { mode: 0o600 });
}

describe("a key is found", () => {
  test.each<[string, (place: Place) => string[]]>([
    ["on the command line", () => ["--api_key", key]],
    [
      "in the environment",
      (place) => {
        place.env.AZURE_API_KEY = key;
        return [];
      },
    ],
    [
      "in .env of the working folder",
      (place) => {
        writeFileSync(join(place.folder, ".env"), `export AZURE_API_KEY="${key}" # mine\n`);
        return [];
      },
    ],
    [
      "in the file of keys",
      (place) => {
        keep(place, { azure: { key } });
        return [];
      },
    ],
  ])("%s, and is in no output, no file and no session", async (_, plant) => {
    const looks = [
      run("python", "import os\nprint(dict(os.environ), open('/proc/self/environ').read())"),
      run("shell", "env; cat /proc/self/environ /proc/$$/environ; ps -eo args; tr '\\0' ' ' < /proc/$PPID/cmdline"),
      run("javascript", "console.log(process.env, require('fs').readFileSync('/proc/self/environ', 'utf8'))"),
      run(
        "python",
        "import subprocess\nprint(subprocess.run('env', shell=True, capture_output=True, text=True).stdout)",
      ),
      reply({ status: 401, body: { error: { message: `Incorrect API key provided: ${key}. Bearer ${key}` } } }),
    ];
    for (const json of [false, true]) {
      await using model = await scriptedModel(looks);
      using place = new Place({ CONTROL: "control-is-seen" });
      const flags = plant(place);
      const { stdout, stderr } = await place.run([
        ...azure(model),
        ...flags,
        ...(json ? ["--json"] : []),
        "-y",
        "-xo",
        "1000000",
        "go",
      ]);
      expect(model.requests).toHaveLength(5);
      expect(model.requests[0]!.headers["api-key"]).toBe(key);
      expect(model.requests[4]!.text.match(/control-is-seen/g)!.length).toBeGreaterThanOrEqual(7);
      expect(stdout).toContain("401");
      const written = filesUnder(place.folder).filter(({ name }) => name !== ".env" && name !== "keys.json");
      expect(written.map(({ name }) => name)).toContain("log.jsonl");
      const texts = [stdout, stderr, ...written.map(({ text }) => text), ...model.requests.map(({ text }) => text)];
      for (const text of texts) expect(text).not.toContain(key);
    }
  });

  test("in the environment before .env, and in .env before the file", async () => {
    await using model = await scriptedModel(["ok", "ok", "ok"]);
    using place = new Place({ AZURE_API_KEY: "first" });
    keep(place, { azure: { key: "third" } });
    writeFileSync(join(place.folder, ".env"), "AZURE_API_KEY=second\n");
    await place.run([...azure(model), "hi"]);
    delete place.env.AZURE_API_KEY;
    await place.run([...azure(model), "hi"]);
    writeFileSync(join(place.folder, ".env"), "");
    await place.run([...azure(model), "hi"]);
    expect(model.requests.map(({ headers }) => headers["api-key"])).toEqual(["first", "second", "third"]);
  });

  test("but a folder's .env cannot say where keys are sent, nor what sessions see", async () => {
    await using bad = await scriptedModel(["stolen"]);
    await using model = await scriptedModel([run("shell", "echo [$AZURE_API_BASE$FROM_ENV_FILE$AZURE_API_KEY]"), "ok"]);
    using place = new Place({ AZURE_API_BASE: model.origin });
    keep(place, { azure: { key } });
    writeFileSync(
      join(place.folder, ".env"),
      `AZURE_API_BASE=${bad.origin}\nFROM_ENV_FILE=x\nINTERPRETER_API_BASE=x\n`,
    );
    const { stdout } = await place.run(["--model", "azure/d", "--api_version", "2024-10-21", "-y", "--plain", "hi"]);
    expect(stdout).toContain(`[${model.origin}]`);
    expect(bad.requests).toEqual([]);
    expect(model.requests[0]!.headers["api-key"]).toBe(key);
  });

  test("and a kept key is not sent to another address than its provider's", async () => {
    await using model = await scriptedModel(["ok", "ok"]);
    using place = new Place();
    keep(place, { anthropic: { key }, openai: { key } });
    await place.run(["--model", "anthropic/claude-x", "--api_base", model.anthropic, "hi"]);
    await place.run(["--model", "openai/gpt-x", "--api_base", model.openai, "hi"]);
    expect(model.requests).toHaveLength(2);
    for (const { headers } of model.requests) expect(JSON.stringify(headers)).not.toContain(key);
  });

  test("a kept key also chooses the model", async () => {
    using place = new Place();
    keep(place, { anthropic: { keyring: true } });
    // There is no keyring here, which is what it stumbles over once the model is chosen.
    const { code, stderr } = await place.run(["hi"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^The system keyring cannot be used for the key of Anthropic: this session has none\.\n/);
  });
});

test.each([
  ["anthropic/x", "anthropic"],
  ["google/x", "google"],
  ["openai-responses/x", "responses"],
  ["openai-chat/x", "openai"],
  ["x", "openai"],
] as const)("a refusal that repeats the key is told without it (%s)", async (name, wire) => {
  const message = `The key ${key} is not allowed to use this model`;
  const refusal = reply({ status: 400, body: { error: { message, type: "bad", code: 400 }, message } });
  for (const output of ["--json", "--plain"]) {
    await using model = await scriptedModel([refusal]);
    using place = new Place();
    const args = ["--model", name, "--api_base", model[wire], "--api_key", key, output, "hi"];
    const { stdout, stderr } = await place.run(args);
    expect(JSON.stringify(model.requests[0]!.headers)).toContain(key);
    expect(stdout).toContain("The key *** is not allowed to use this model");
    for (const text of [stdout, stderr, ...filesUnder(place.folder).map((file) => file.text)])
      expect(text).not.toContain(key);
  }
});

describe("sessions", () => {
  test("see no key of any provider, but what people set for other work", async () => {
    const others = ["GITHUB_TOKEN", "HF_TOKEN", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK"];
    const all = allProviders().flatMap(({ keyVariables }) => keyVariables);
    expect(new Set(all).size).toBeGreaterThan(100);
    const planted = Object.fromEntries([...all, ...others, "INTERPRETER_API_KEY"].map((name) => [name, "planted"]));
    await using model = await scriptedModel([run("shell", "env | grep planted | sort"), "ok"]);
    using place = new Place(planted);
    const { stdout } = await place.run(["--model", "x", "--api_base", model.openai, "-y", "--plain", "go"]);
    const seen = [...stdout.matchAll(/^(\w+)=planted$/gm)].map((match) => match[1]!);
    for (const name of others) expect(seen).toContain(name);
    for (const name of ["INTERPRETER_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GROQ_API_KEY"])
      expect(seen).not.toContain(name);
    // What is left is on a short list of variables that are not for models alone.
    expect(seen.length).toBeLessThan(25);
    expect(all.length - seen.length).toBeGreaterThan(80);
  });
});

describe("interpreter keys", () => {
  test("keeps, lists and forgets, and shows nothing of a key", async () => {
    using place = new Place({ GROQ_API_KEY: "planted-in-environment" });
    writeFileSync(join(place.folder, ".env"), "MISTRAL_API_KEY=planted-in-file\nGROQ_API_KEY=planted-too\n");
    const set = await place.run(["keys", "set", "claude"], { input: `  ${key}\n` });
    expect(set).toEqual({ code: 0, stdout: "Kept in a file that only you can read.\n", stderr: "" });
    expect((statSync(keysFile(place)).mode & 0o777).toString(8)).toBe("600");
    expect(JSON.parse(readFileSync(keysFile(place), "utf8"))).toEqual({ anthropic: { key } });

    const { stdout: list } = await place.run(["keys"]);
    expect(list.split("\n")).toEqual([
      `anthropic  ${keysFile(place)}`,
      "groq       environment (GROQ_API_KEY), before .env in this folder (GROQ_API_KEY)",
      "mistral    .env in this folder (MISTRAL_API_KEY)",
      "",
    ]);

    const removed = await place.run(["keys", "remove", "anthropic"]);
    expect(removed.stdout).toBe("Forgotten: it was in the file of keys.\n");
    expect(existsSync(keysFile(place))).toBe(false);
    expect((await place.run(["keys", "remove", "groq"])).stdout).toBe(
      "It is still in the environment: GROQ_API_KEY.\nIt is still in .env in this folder: GROQ_API_KEY.\n",
    );
  });

  test("openai's other names share its key", async () => {
    using place = new Place();
    await place.run(["keys", "set", "openai-chat", "file"], { input: key });
    expect((await place.run(["keys", "list"])).stdout).toBe(`openai  ${keysFile(place)}\n`);
  });

  test.each<[string, string[], RegExp, RegExp]>([
    ["an unknown provider", ["keys", "set", "antropic"], /No provider is called "antropic"/, /Did you mean anthropic/],
    ["one that needs no key", ["keys", "set", "ollama"], /Ollama needs no key/, /--model ollama/],
    ["no provider", ["keys", "set"], /Whose key/, /keys set PROVIDER/],
    ["nothing piped in", ["keys", "set", "anthropic"], /not a key/, /keys set/],
    ["a place that is none", ["keys", "set", "anthropic", "cloud"], /keyring or in a file, not in "cloud"/, /keys set/],
    ["a key that is not kept", ["keys", "remove", "anthropic"], /No key of Anthropic is kept/, /lists them/],
    ["no keyring", ["keys", "set", "anthropic", "keyring"], /system keyring cannot be used/, /set anthropic file/],
  ])("2 for %s", async (what, args, message, hint) => {
    using place = new Place();
    const { code, stdout, stderr } = await place.run(args, { input: what === "no keyring" ? key : "" });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.split("\n")[0]).toMatch(message);
    expect(stderr).toMatch(hint);
    expect(existsSync(keysFile(place))).toBe(false);
  });

  test("a file that others can read is refused, with what to do", async () => {
    using place = new Place();
    keep(place, { anthropic: { key } });
    chmodSync(keysFile(place), 0o644);
    for (const args of [["keys"], ["--model", "anthropic/claude-x", "hi"]]) {
      const { code, stderr } = await place.run(args);
      expect(code).toBe(2);
      expect(stderr).toContain("is open to other users, so the keys in it are not used.\nClose it: chmod 600 ");
      expect(stderr).not.toContain(key);
    }
  });

  test("a sentence that begins with the word is a sentence", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = new Place();
    await place.run(["--model", "x", "--api_base", model.openai, "keys", "are", "missing"]);
    expect(model.requests[0]!.body.messages.at(-1).content).toBe("keys are missing");
  });

  test("without a person a missing key is an error that names the command", async () => {
    using place = new Place();
    const { code, stderr } = await place.run(["--model", "anthropic/claude-x", "hi"]);
    expect(code).toBe(2);
    expect(stderr).toContain("interpreter keys set anthropic");
  });
});

describe("a person at a terminal", () => {
  test("is asked for a missing key once, unseen, and it can be kept", async () => {
    await using model = await scriptedModel(["First answer.", "Second answer.", "Third answer."]);
    using place = new Place({ AZURE_API_BASE: model.origin, INTERPRETER_API_VERSION: "2024-10-21" });
    const flags = ["--model", "azure/deployment"];
    {
      await using chat = new Terminal(place, flags);
      await chat.see("Azure OpenAI needs an API key. Paste it here; it is not shown:");
      expect(chat.text()).toMatch(/^Open Interpreter/);
      chat.type(key);
      chat.type("\t");
      chat.enter();
      await chat.see("Keep it? f = file (private), n = only now:");
      chat.enter("f");
      await chat.see("Kept in a file that only you can read.");
      await chat.prompt();
      // Neither the history, nor what was cut, nor undo brings it back.
      for (const pressed of ["\x1b[A", "\x19", "\x1f", "\x1b[A\x1b[A"]) {
        chat.type(pressed);
        chat.type("\x05\x15");
      }
      chat.enter("hello");
      await chat.see("First answer.");
      chat.enter("%model azure/other");
      await chat.see("Model: azure/other");
      chat.type("\x04");
      await chat.ended();
      expect(chat.raw).not.toContain(key);
      expect(chat.raw).not.toContain(key.slice(0, 8));
    }
    expect(model.requests[0]!.headers["api-key"]).toBe(key);
    expect(JSON.parse(readFileSync(keysFile(place), "utf8"))).toEqual({ azure: { key } });
    await using again = new Terminal(place, flags);
    await again.prompt();
    expect(again.text()).not.toContain("needs an API key");
  });

  test("who gives none gets the error and the chat; %model asks again", async () => {
    await using model = await scriptedModel(["Here I am."]);
    using place = new Place({ AZURE_API_BASE: model.origin, INTERPRETER_API_VERSION: "2024-10-21" });
    await using chat = new Terminal(place, ["--model", "azure/deployment"]);
    await chat.see("it is not shown:");
    chat.enter();
    await chat.see("! Azure OpenAI needs a way to sign in");
    await chat.prompt();
    chat.enter("!echo still $((40 + 2))");
    await chat.see("still 42");
    chat.enter("hello");
    await chat.see(/hello\n+.*needs a way to sign in/);
    chat.enter("%model azure/other");
    await chat.see(/%model azure\/other\nAzure OpenAI needs an API key\. .* it is not shown:/);
    chat.type("half of a ke");
    chat.type("\x03");
    await chat.see(/not shown:\s+✗ Azure OpenAI needs a way to sign in[^>]*>$/);
    chat.enter("%model azure/third");
    await chat.see(/azure\/third\nAzure OpenAI needs an API key/);
    chat.enter("two words");
    await chat.see("A key is one word");
    chat.enter(key);
    await chat.see("Keep it?");
    chat.enter("n");
    await chat.see("Model: azure/third");
    chat.enter("%model azure/fourth");
    await chat.see("Model: azure/fourth");
    chat.enter("hello again");
    await chat.see("Here I am.");
    expect(model.requests[0]!.headers["api-key"]).toBe(key);
    expect(chat.raw).not.toContain(key);
    expect(chat.raw).not.toContain("half of");
    expect(existsSync(keysFile(place))).toBe(false);
  });

  test("is asked in a one-shot, too", async () => {
    await using model = await scriptedModel(["An answer."]);
    using place = new Place();
    await using shot = new Terminal(place, [...azure(model), "what is this?"]);
    await shot.see("it is not shown:");
    shot.enter(key);
    await shot.see("Keep it?");
    shot.enter();
    await shot.see("An answer.");
    expect(await shot.ended()).toBe(0);
    expect(shot.raw).not.toContain(key);
    expect(model.requests[0]!.headers["api-key"]).toBe(key);
  });

  test("sets a key with the command, unseen", async () => {
    using place = new Place();
    await using set = new Terminal(place, ["keys", "set", "anthropic"]);
    await set.see("Anthropic needs an API key. Paste it here; it is not shown:");
    set.enter(`\x1b[200~${key}\n\x1b[201~`);
    await set.see("Keep it? f = file (private):");
    set.enter("f");
    expect(await set.ended()).toBe(0);
    expect(set.raw).not.toContain(key);
    expect(JSON.parse(readFileSync(keysFile(place), "utf8"))).toEqual({ anthropic: { key } });
  });

  test("sees that the key comes from the folder", async () => {
    await using model = await scriptedModel([]);
    using place = new Place();
    writeFileSync(join(place.folder, ".env"), `AZURE_API_KEY=${key}\n`);
    await using chat = new Terminal(place, azure(model));
    await chat.see("model azure/deployment, with the key from .env in this folder");
  });
});

function filesUnder(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), "utf8") }));
}

test("a slip in the command is no message: the key in it goes nowhere", async () => {
  await using model = await scriptedModel([]);
  using place = new Place();
  const chosen = ["--model", "openai-chat/x", "--api_base", model.openai];
  for (const words of [
    ["keys", "add", "anthropic", "sk-ant-secret"],
    ["keys", "sk-ant-secret"],
    ["config", "list"],
  ]) {
    const { code, stderr } = await place.run([...chosen, ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(`interpreter ${words[0]} does not take`);
    expect(stderr).not.toContain("sk-ant-secret\n");
  }
  expect(model.requests).toEqual([]);
});
