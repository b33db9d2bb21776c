// A conversation that is gone on with in a new process: its sessions come back, and what is gone is said to model and person.

import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConversation } from "../../src/conversations/index.ts";
import { Interpreter, type InterpreterOptions, type RunAgainOffer } from "../../src/interpreter/index.ts";
import type { Chunk, Message } from "../../src/messages/index.ts";
import { reply, run, type Script, say, scriptedModel } from "../support/scripted-model.ts";
import { testPython, until } from "../support/session.ts";

/** A home with one conversation in it, which is gone on with again and again. */
class Home implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "resume-test-"));
  readonly env = { ...process.env, INTERPRETER_HOME: join(this.folder, ".home"), SHELL: "/bin/bash" };

  get conversation(): string {
    const root = join(this.folder, ".home", "conversations");
    return join(root, readdirSync(root)[0]!);
  }

  /** What was saved of a language, as it lies there. */
  saved(language: string): string {
    return join(this.conversation, "state", language, "saved");
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Told {
  chunks: Chunk[];
  messages: Message[];
  requests: { text: string; body: { messages: { role: string; content: unknown }[] } }[];
  outputs: string[];
  lines: string[];
}

/** One process of the conversation: says one thing, follows it, and ends. */
async function process_(home: Home, script: Script, options: InterpreterOptions = {}, words = "go on"): Promise<Told> {
  await using model = await scriptedModel(script);
  const resumed = options.conversation === undefined && exists(home) ? loadConversation(home.conversation)! : true;
  await using interpreter = new Interpreter({
    model: "openai-chat/scripted",
    apiBase: model.openai,
    autoRun: true,
    cwd: home.folder,
    python: testPython,
    env: home.env,
    conversation: resumed,
    ...options,
  });
  const lines = await interpreter.stateLines();
  const chunks: Chunk[] = [];
  for await (const chunk of interpreter.chat(words, { stream: true })) chunks.push(chunk);
  const outputs = interpreter.messages.filter(({ type }) => type === "console").map(({ content }) => content);
  return { chunks, messages: interpreter.messages, requests: model.requests as Told["requests"], outputs, lines };
}

function exists(home: Home): boolean {
  return statSync(join(home.folder, ".home", "conversations"), { throwIfNoEntry: false }) !== undefined;
}

const py = (code: string) => run("python", code);
const note = ({ messages }: Told) =>
  messages.findLast(({ content }) => content.startsWith("(The conversation"))!.content;

test("values, functions and modules are there in the first block of the next process, and both are told", async () => {
  using home = new Home();
  await process_(home, [
    py("import sqlite3, json as j\nrows = [1, 2, 3]\ndef total(): return sum(rows)"),
    py("conn = sqlite3.connect(':memory:')\nbig = bytes(30_000_000)"),
    "Done.",
  ]);
  const second = await process_(home, [py("print(total(), j.dumps(rows))"), "Six."]);
  expect(second.outputs.at(-1)).toBe(
    "[Python: 2 values and 2 modules are back; 2 are gone: conn (sqlite3.Connection), big (too big: 30 MB).]\n6 [1, 2, 3]\n",
  );
  expect(second.lines).toEqual([
    "Python: 2 values and 2 modules come back when it starts; 2 are gone: conn (sqlite3.Connection), big (too big: 30 MB).",
  ]);
  const told = [
    "(The conversation was resumed in a new process. The sessions are new; files are as they were left.",
    "Python has these back when its first block runs: rows (list, 3), total (function), sqlite3 (module sqlite3), j (module json).",
    "Gone: conn (sqlite3.Connection, cannot be saved; made by `conn = sqlite3.connect(':memory:')`), " +
      "big (bytes, 30000000, too big: 30 MB; made by `big = bytes(30_000_000)`).)",
  ].join("\n");
  expect(note(second)).toBe(told.replace("bytes, 30000000,", "bytes,"));
  expect(second.requests[0]!.body.messages.at(-1)!.content).toContain(note(second));
  expect(second.requests[1]!.text).toContain("2 are gone: conn (sqlite3.Connection)");
});

test("what is saved is for the person only, and lies beside the conversation", async () => {
  using home = new Home();
  await process_(home, [py("values = list(range(5000))"), "Done."]);
  const folder = join(home.conversation, "state", "python");
  const names = readdirSync(folder);
  expect(names).toHaveLength(2);
  for (const path of [join(home.conversation, "state"), folder, ...names.map((name) => join(folder, name))])
    expect(statSync(path).mode & 0o077).toBe(0);
  expect(statSync(join(home.folder, ".home", "state.key")).mode & 0o077).toBe(0);
});

test("resumed twice, with a change in between, the last values are there; deleted names stay away", async () => {
  using home = new Home();
  await process_(home, [py("items = ['one']\nold = 1"), "Done."]);
  await process_(home, [py("items.append('two')\ndel old"), "Done."]);
  const third = await process_(home, [py("print(items, 'old' in dir())"), "Done."]);
  expect(third.outputs.at(-1)).toBe("[Python: 1 value is back.]\n['one', 'two'] False\n");
});

test("nothing is saved, and everything is said to be gone, where the person wants that", async () => {
  using home = new Home();
  await process_(home, [py("x = 1"), "Done."], { saveState: false });
  expect(readdirSync(home.conversation)).not.toContain("state");
  const second = await process_(home, ["I see."], {
    saveState: false,
    conversation: loadConversation(home.conversation)!,
  });
  expect(second.lines).toEqual(["Python: what its blocks made is gone."]);
  expect(note(second)).toContain("Python: variables, functions and imports from before are gone.");
});

test("a conversation in which no code ran has nothing to bring back", async () => {
  using home = new Home();
  await process_(home, ["Hello."]);
  const second = await process_(home, ["Hello again."]);
  expect(second.lines).toEqual([]);
  expect(note(second)).toBe(
    "(The conversation was resumed in a new process. The sessions are new; files are as they were left.)",
  );
});

test("a state that was changed, cut, copied from elsewhere or opened to others is not loaded, and that is said", async () => {
  using home = new Home();
  await process_(home, [
    py("import os\nclass Evil:\n    def __reduce__(self): return (os.system, ('touch evil',))\nx, e = 1, Evil()"),
    "Done.",
  ]);
  const path = home.saved("python");
  const whole = readFileSync(path, "utf8");
  const damaged = "What the python session held was not brought back: it is damaged, or was not saved on this machine.";
  const resume = async () => (await process_(home, [py("print('x' in dir())"), "Done."])).lines;
  const [sealed, text] = whole.split("\n") as [string, string];
  for (const harm of [
    "",
    "{",
    whole.slice(0, 500),
    `${sealed}\n${text.replace('"after":', '"after":1')}\n`,
    `\n${text}\n`,
  ]) {
    writeFileSync(path, harm);
    expect((await resume()).at(-1)).toBe(damaged);
    writeFileSync(path, whole);
  }
  // The key of another machine.
  const key = join(home.folder, ".home", "state.key");
  const mine = readFileSync(key);
  writeFileSync(key, "00".repeat(32));
  expect((await resume()).at(-1)).toBe(damaged);
  writeFileSync(key, mine);
  writeFileSync(path, whole);
  chmodSync(path, 0o644);
  expect((await resume()).at(-1)).toBe(
    `What the python session held was not brought back: ${path} is open to other users of this machine.`,
  );
  expect(readdirSync(home.folder)).not.toContain("evil");
});

test.runIf(process.getuid?.() === 0)(
  "a state that belongs to somebody else is not loaded, and that is said",
  async () => {
    using home = new Home();
    await process_(home, [py("x = 1"), "Done."]);
    chownSync(home.saved("python"), 1, 1);
    const second = await process_(home, [py("print('x' in dir())"), "Done."]);
    expect(second.lines.at(-1)).toContain(`${home.saved("python")} belongs to somebody else.`);
    expect(second.outputs.at(-1)).toBe("False\n");
  },
);

test("a folder of another conversation does not take it along", async () => {
  using home = new Home();
  await process_(home, [py("x = 1"), "Done."]);
  const other = `${home.conversation}-copy`;
  cpSync(home.conversation, other, { recursive: true });
  for (const place of ["", "state", "state/python"]) chmodSync(join(other, place), 0o700);
  const copy = await process_(home, [py("print('x' in dir())"), "Done."], { conversation: loadConversation(other)! });
  expect(copy.lines.at(-1)).toContain("was not saved on this machine");
  expect(copy.outputs.at(-1)).toBe("False\n");
});

test("a state of another Python is not loaded; what was in it is offered to be made again", async () => {
  using home = new Home();
  await process_(home, [py("x = [1]"), py("y = x + [2]"), "Done."]);
  const offers: RunAgainOffer[] = [];
  const other = { ...home.env, VIRTUAL_ENV: undefined };
  const second = await process_(home, [py("print(x, y)"), "Done."], {
    python: "/usr/bin/python3",
    env: other,
    askRunAgain: async (offer) => {
      offers.push(offer);
      return true;
    },
  });
  expect(offers).toEqual([
    {
      gone: [{ language: "python", names: [] }],
      blocks: [
        { language: "python", code: "x = [1]" },
        { language: "python", code: "y = x + [2]" },
      ],
    },
  ]);
  expect(note(second)).toContain("Python: nothing of what it held is back. They were saved by cpython 3");
  expect(second.outputs.join("")).toMatch(/\[Python: nothing of what it held is back\. They were saved by cpython 3/);
  expect(second.outputs.at(-1)).toBe("[1] [1, 2]\n");
});

const connects = [
  py("import sqlite3\npath = ':memory:'"),
  py("unrelated = 5"),
  py("conn = sqlite3.connect(path)\nconn.execute('create table t (x)')"),
  py("conn.execute('insert into t values (7)')\nkept = 1"),
];

test("the fewest blocks that make what is gone run again, each approved, before the person's words are said", async () => {
  using home = new Home();
  await process_(home, [...connects, "Done."]);
  const asked: string[] = [];
  const second = await process_(home, [py("print(conn.execute('select x from t').fetchall(), unrelated)"), "Seven."], {
    autoRun: false,
    askRunAgain: async ({ gone }) => gone[0]!.names.includes("conn"),
    approve: async ({ code }) => {
      asked.push(code.split("\n")[0]!);
      return { type: "run" };
    },
  });
  expect(asked).toEqual([
    "conn = sqlite3.connect(path)",
    "conn.execute('insert into t values (7)')",
    "print(conn.execute('select x from t').fetchall(), unrelated)",
  ]);
  expect(second.outputs.at(-1)).toBe("[(7,)] 5\n");
  const contents = second.messages.map(({ content }) => content);
  expect(contents.indexOf("go on", 1)).toBeLessThan(contents.length);
  const again = second.messages.filter(({ role, type }) => role === "user" && type === "code");
  expect(again).toHaveLength(2);
  expect(second.messages.indexOf(again[1]!)).toBeLessThan(
    second.messages.findLastIndex(({ content }) => content === "go on"),
  );
});

test("nothing runs again unasked, declined, or when a block of it is declined", async () => {
  const tries: [InterpreterOptions, number][] = [
    [{}, 0],
    [{ askRunAgain: async () => false }, 0],
    [
      {
        autoRun: false,
        askRunAgain: async () => true,
        approve: async ({ code }) => ({ type: code === "conn" ? "run" : "refuse" }),
      },
      1,
    ],
  ];
  for (const [options, shown] of tries) {
    using home = new Home();
    await process_(home, [...connects, "Done."]);
    const { outputs, messages } = await process_(home, [py("conn"), "Gone."], options);
    expect(outputs.at(-1)).toContain("NameError: name 'conn' is not defined");
    expect(messages.filter(({ role, type }) => role === "user" && type === "code")).toHaveLength(shown);
  }
});

test("after a crash, what was saved before it comes back; after a restart, nothing does", async () => {
  using home = new Home();
  await using model = await scriptedModel([py("x = 1"), "One.", py("import os; os._exit(3)"), "It crashed."]);
  const options = { model: "openai-chat/scripted", apiBase: model.openai, autoRun: true, cwd: home.folder };
  const interpreter = new Interpreter({ ...options, python: testPython, env: home.env, conversation: true });
  await interpreter.chat("set x");
  await until(() => existsSync(home.saved("python")));
  await interpreter.chat("crash");
  await interpreter.close();
  const second = await process_(home, [py("print(x)"), "Done."]);
  expect(second.lines).toEqual(["Python: 1 value comes back when it starts. It was saved before the last block ran."]);
  expect(second.outputs.at(-1)).toBe("[Python: 1 value is back.]\n1\n");
  await using third = new Interpreter({
    ...options,
    python: testPython,
    env: home.env,
    conversation: loadConversation(home.conversation)!,
  });
  await third.computer.run("python", "x");
  await third.sessions.restart(third.sessions.find("python")!);
  await until(() => !existsSync(home.saved("python")));
});

test("a conversation that goes on in the same process brings its sessions back, too", async () => {
  using home = new Home();
  await using model = await scriptedModel([py("x = 41"), "Done.", py("print(x + 1)"), "42."]);
  await using interpreter = new Interpreter({
    model: "openai-chat/scripted",
    apiBase: model.openai,
    autoRun: true,
    cwd: home.folder,
    python: testPython,
    env: home.env,
    conversation: true,
  });
  await interpreter.chat("set x");
  await interpreter.reset();
  await interpreter.resume(loadConversation(home.conversation)!);
  const messages = await interpreter.chat("add one");
  expect(messages.find(({ type }) => type === "console")!.content).toBe("[Python: 1 value is back.]\n42\n");
});

test("what ran after the last save is said to be older or missing, and is offered to run again", async () => {
  using home = new Home();
  await process_(home, [py("items = [1]\ncount = 1\ngone = 0"), "Done."]);
  const saved = readFileSync(home.saved("python"));
  await process_(home, [py("items.append(2)\ndel gone\nlater = 5"), "Done."]);
  writeFileSync(home.saved("python"), saved); // the process was killed before it could save
  let offer: RunAgainOffer | undefined;
  const third = await process_(home, [py("print(items, later, count, 'gone' in dir())"), "Done."], {
    askRunAgain: async (given) => {
      offer = given;
      return true;
    },
  });
  expect(third.lines).toEqual(["Python: 3 values come back when it starts. It was saved before the last block ran."]);
  expect(note(third)).toContain(
    "It was saved before the last block ran (`items.append(2) …`): what it changed is older or missing.",
  );
  expect(offer?.blocks).toEqual([{ language: "python", code: "items.append(2)\ndel gone\nlater = 5" }]);
  expect(third.outputs.at(-2)).toContain("[Python: 3 values are back. As before the last blocks: gone, items.]");
  expect(third.outputs.at(-1)).toBe("[1, 2] 5 1 False\n");
});

test("languages without a memory of their own are said to begin anew", async () => {
  using home = new Home();
  await process_(home, [run("ruby", "x = 1"), "Done."]);
  const second = await process_(home, ["I see."]);
  expect(second.lines).toEqual(["Ruby: what its blocks made is gone."]);
  expect(note(second)).toContain("Ruby: variables, functions and imports from before are gone.");
});

test("a damaged log line between does not keep the state from coming back", async () => {
  using home = new Home();
  await process_(home, [py("x = 1"), "Done."]);
  appendFileSync(join(home.conversation, "log.jsonl"), '{"at":"now","mess\n');
  const second = await process_(home, [reply(say("Looking."), py("print(x)")), "Done."]);
  expect(second.outputs.at(-1)).toBe("[Python: 1 value is back.]\n1\n");
});
