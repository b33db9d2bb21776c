// Rules as data: what a file may say, what is wrong in one, and which rule holds.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InputProblem, openRules, places, type Rules } from "../../src/settings/index.ts";

class Home implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "rules-test-"));
  readonly env = { HOME: join(this.folder, "home"), INTERPRETER_HOME: join(this.folder, "own") };
  readonly cwd = join(this.env.HOME, "desk");
  readonly file = join(this.env.INTERPRETER_HOME, "rules.yaml");

  constructor(rules?: string) {
    mkdirSync(this.cwd, { recursive: true });
    mkdirSync(this.env.INTERPRETER_HOME);
    if (rules !== undefined) writeFileSync(this.file, rules);
  }

  async load(choices = {}): Promise<Rules> {
    const { loadRules } = await openRules();
    return loadRules(places(this.env), { cwd: this.cwd, env: this.env, choices });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const host = (name: string, port?: number) => ({ kind: "host" as const, host: name, port });

test("without a file nothing is ruled, and defaults hold", async () => {
  using home = new Home();
  const rules = await home.load();
  expect(rules.list()).toEqual([]);
  expect(rules.judge(host("example.org", 443))).toEqual({ verdict: "ask", because: "no rule speaks of this host" });
  expect(rules.judge({ kind: "language", name: "python" }).verdict).toBe("allow");
  expect(rules.judge({ kind: "command", words: ["ls"] }).verdict).toBe("allow");
  expect(rules.judge({ kind: "write", path: join(home.cwd, "a.csv") }).verdict).toBe("allow");
  expect(rules.judge({ kind: "write", path: join(home.env.HOME, "a.csv") }).verdict).toBe("deny");
  expect(rules.judge({ kind: "read", path: join(home.env.HOME, "a.csv") }).verdict).toBe("allow");
  expect(existsSync(home.file)).toBe(false);
});

test("of all rules that speak of something the strictest holds, wherever it stands, and says why and where", async () => {
  using home = new Home(`# mine
- deny: { host: bad.example.org }
  because: it keeps everything
- allow: { host: ["*.example.org", example.com] }
- ask:
    host: ask.example.org
- allow: { host: ask.example.org }
- deny: { language: applescript }
`);
  const rules = await home.load({ allowHost: ["bad.example.org"] });
  expect(rules.judge(host("bad.example.org", 443))).toEqual({
    verdict: "deny",
    because: "it keeps everything",
    rule: `${home.file}:2`,
  });
  expect(rules.judge(host("docs.example.org"))).toMatchObject({ verdict: "allow", rule: `${home.file}:4` });
  expect(rules.judge(host("example.com"))).toMatchObject({ verdict: "allow" });
  expect(rules.judge(host("ask.example.org"))).toMatchObject({ verdict: "ask", rule: `${home.file}:6` });
  expect(rules.judge({ kind: "language", name: "AppleScript" }).verdict).toBe("deny");
});

test.each<[wrong: string, message: string | RegExp, hint: RegExp]>([
  ["- alow: { host: example.org }", ":1: alow is nothing that a rule has.", /Did you mean allow\?/],
  ["- allow: { hots: example.org }", ":1: hots is nothing that allow has.", /Did you mean host\?/],
  ["\n- allow: { host: example.org }\n  becuse: x", ":3: becuse is nothing that a rule has.", /Did you mean because\?/],
  ["allow: { host: example.org }", ":1: rules are a list, one entry each.", /- allow: \{ host/],
  ["- allow host example.org", ":1: a rule says allow, ask or deny, and what.", /- allow: \{ host/],
  ["- allow: { host: a.org }\n  deny: { host: a.org }", ":1: a rule says one thing, not allow and deny.", /./],
  ["- allow: { host: a.org, write: ./x }", ":1: allow is followed by exactly one of", /./],
  ["- allow: { host: *.example.org }", ":1: host takes a text, or a list of texts.", /quotes: "\*\.example\.org"/],
  ["- allow:\n    host: [a.org", ":2: this is not valid YAML", /in quotes/],
  ["- allow: { host: https://example.org/x }", ':1: "https://example.org/x" is a web address', /example\.org\?/],
  ["- allow: { host: api-*.example.org }", ':1: "api-*.example.org" is no host.', /whole labels/],
  ["- allow: { host: 'example.org:99999' }", ':1: "example.org:99999" is no host.', /1 to 65535/],
  ["- allow: { host: 10.0.0.0/64 }", ':1: "10.0.0.0/64" is no host.', /10\.0\.0\.0\/8/],
  ["- allow: { host: 2130706433 }", ":1: host takes a text, or a list of texts.", /quotes: "2130706433"/],
  ["- allow: { write: ~ }", ":1: write takes a text, or a list of texts.", /quotes: "~"/],
  ["- allow: { write: out }", ':1: "out" is no path for a rule.', /\.\/out/],
  ["- allow: { write: ~ann/x }", ':1: "~ann/x" is no path for a rule.', /in full/],
  ["- deny: { command: 'rm -rf *; ls' }", ':1: "rm -rf *; ls" is no pattern of one command.', /git push \*/],
  ["- deny: { language: 'visual basic' }", ':1: "visual basic" is no language.', /python/],
  [
    '- allow: { host: "*.example.org" }\n  examples:\n    match: [docs.example.org]\n    not:\n      - a.example.org',
    ':5: the example "a.example.org" should not match host *.example.org, and does.',
    /Change the pattern or the example\. No code runs until it is mended\./,
  ],
  [
    '- deny: { host: bad.example.org }\n- allow: { host: "*.example.org" }\n  examples: { match: [example.org] }',
    ':3: the example "example.org" should match host *.example.org, and does not.',
    /No code runs until it is mended/,
  ],
  ["- allow: { host: a.org }\n  examples: [a.org]", ":2: examples are written like this", /./],
  ["- allow: { host: a.org }\n  examples: { no: a.org }", ":2: no is nothing that examples has.", /not\?/],
])("a mistake is an error with its line and what to do: %j", async (text, message, hint) => {
  using home = new Home(text);
  const problem = await home.load().then(
    () => undefined,
    (error: unknown) => error as InputProblem,
  );
  expect(problem).toBeInstanceOf(InputProblem);
  expect(problem!.message).toMatch(typeof message === "string" ? `${home.file}${message}` : message);
  expect(problem!.hint).toMatch(hint);
});

test("examples that hold are checked for every kind", async () => {
  using home = new Home(`
- ask: { command: "git push *" }
  examples:
    match: [git push, git push origin main, sudo git push, "bash -c 'cd x && git push'", /usr/bin/git push]
    not: [git pull, git pushed, echo git push]
- allow: { write: ["~/Desktop/*.csv", ./out] }
  examples: { match: [~/Desktop/a.csv, ./out/deep/b.txt], not: [~/Desktop/a.txt, ~/Desktop/x/a.csv, ./outer] }
- deny: { read: "~/**/.env" }
  examples: { match: [~/a/b/.env, ~/.env], not: [~/a/.envrc] }
- allow: { host: "localhost:8000" }
  examples: { match: ["localhost:8000", "http://localhost:8000/x"], not: ["localhost:80", "localhost"] }
- deny: { language: ruby }
  examples: { match: Ruby, not: [python] }
`);
  expect((await home.load()).list()).toHaveLength(6);
});

test("a file that everybody can write is not used", async () => {
  using home = new Home("- allow: { host: example.org }\n");
  chmodSync(home.file, 0o666);
  await expect(home.load()).rejects.toThrow(`Everybody on this machine can write ${home.file}`);
});

test("a project brings no rules", async () => {
  using home = new Home();
  for (const folder of [home.cwd, join(home.cwd, ".interpreter"), join(home.cwd, ".open-interpreter")]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "rules.yaml"), '- allow: { host: "*" }\n');
  }
  expect((await home.load()).list()).toEqual([]);
});

test("what is allowed for a command is allowed only as it is written", async () => {
  using home = new Home('- allow: { command: "git *" }\n- ask: { command: "*" }\n');
  const rules = await home.load();
  const { list } = rules;
  const allow = list().find(({ verdict }) => verdict === "allow")!;
  expect(allow.covers({ kind: "command", words: ["git", "push"] })).toBe(true);
  for (const words of [
    ["sudo", "git", "push"],
    ["./git", "push"],
    ["bash", "-c", "git push"],
    ["X=1", "git", "push"],
  ])
    expect(allow.covers({ kind: "command", words }), words.join(" ")).toBe(false);
});

test("flags are rules of this run; a bare name is one in the working folder", async () => {
  using home = new Home();
  const rules = await home.load({
    allowWrite: ["../shared"],
    allowRead: ["~/.ssh/config"],
    allowHost: ["localhost:8000"],
  });
  expect(rules.list().map(({ verdict, kind, pattern }) => [verdict, kind, pattern])).toEqual([
    ["allow", "host", "localhost:8000"],
    ["allow", "write", "~/shared"],
    ["allow", "read", "~/.ssh/config"],
  ]);
  expect(rules.judge(host("localhost", 8000))).toMatchObject({ verdict: "allow", rule: "--allow_host" });
  expect(rules.judge(host("localhost", 8001))).toMatchObject({ verdict: "ask" });
});

test("paths for walls: patterns become what is there, what is asked about is closed, what is denied is not open", async () => {
  using home = new Home(`
- allow: { write: [~/Desktop, ~/music/*.txt, ~/notes/**] }
- deny: { write: [~/Desktop/taxes, ~/notes] }
- ask: { read: ~/diary }
- deny: { read: "~/desk/**/*.pem" }
`);
  const at = (...names: string[]) => join(home.env.HOME, ...names);
  for (const folder of ["Desktop/taxes", "music", "notes", "desk/deep/er"]) mkdirSync(at(folder), { recursive: true });
  for (const file of ["music/a.txt", "music/b.mp3", "desk/deep/er/key.pem", "desk/x.pem"]) writeFileSync(at(file), "");
  const rules = await home.load();
  expect(rules.paths("write", "allow")).toEqual([at("Desktop"), at("music/a.txt")]);
  expect(rules.paths("write", "deny")).toEqual([home.env.INTERPRETER_HOME, at("Desktop/taxes"), at("notes")]);
  expect(rules.paths("read", "deny").sort()).toEqual([at("desk/deep/er/key.pem"), at("desk/x.pem"), at("diary")]);
  expect(rules.judge({ kind: "write", path: at("Desktop/taxes/2020.csv") }).verdict).toBe("deny");
  expect(rules.judge({ kind: "write", path: at("Desktop/x.csv") }).verdict).toBe("allow");
});

test("links are followed: what is denied stays denied under another name, and a link that code made allows nothing", async () => {
  using home = new Home("- deny: { read: ~/secret }\n- allow: { write: ./out }\n- deny: { write: ~/safe }\n");
  const at = (...names: string[]) => join(home.env.HOME, ...names);
  mkdirSync(at("secret"));
  mkdirSync(at("safe"));
  symlinkSync(at("secret"), at("desk/door"));
  symlinkSync(at(), at("desk/out"));
  const rules = await home.load();
  expect(rules.judge({ kind: "read", path: at("desk/door/key") }).verdict).toBe("deny");
  expect(rules.judge({ kind: "write", path: at("desk/out/.bashrc") }).verdict).toBe("deny");
  expect(rules.judge({ kind: "write", path: at("desk/../safe/x") }).verdict).toBe("deny");
  expect(rules.paths("write", "allow")).toEqual([]);
});

test("whatever is allowed, code does not write where we keep things", async () => {
  using home = new Home('- allow: { write: ["~", /] }\n');
  const rules = await home.load({ allowWrite: ["/"] });
  expect(rules.judge({ kind: "write", path: home.file })).toEqual({
    verdict: "deny",
    because: "code never writes where Open Interpreter keeps its settings, rules and conversations",
  });
});

test("what is remembered always is in the file, which keeps its comments and is private", async () => {
  using home = new Home();
  const rules = await home.load();
  expect(await rules.remember({ verdict: "allow", kind: "host", pattern: "Example.org:443" }, "always")).toBe(
    `From now on, in every conversation, code may reach example.org on port 443. It stands in ${home.file}.`,
  );
  expect(statSync(home.file).mode & 0o777).toBe(0o600);
  writeFileSync(home.file, `${readFileSync(home.file, "utf8")}# mine, too\n- deny: { read: ~/diary } # private\n`);
  expect(await rules.remember({ verdict: "allow", kind: "write", pattern: "out" }, "always")).toBe(
    `From now on, in every conversation, code may write ~/desk/out and what is below it. It stands in ${home.file}.`,
  );
  await rules.remember({ verdict: "allow", kind: "write", pattern: "./out" }, "always");
  expect(readFileSync(home.file, "utf8").split("\n").slice(2)).toEqual([
    '- allow: { host: "example.org:443" }',
    "# mine, too",
    "- deny: { read: ~/diary } # private",
    '- allow: { write: "~/desk/out" }',
    "",
  ]);
  expect(rules.judge({ kind: "read", path: join(home.env.HOME, "diary") }).rule).toBe(`${home.file}:5`);
  const other = await home.load();
  expect(other.judge(host("example.org", 443)).verdict).toBe("allow");
  expect(other.judge(host("example.org", 22)).verdict).toBe("ask");
});

test("a file in another style is added to as well, and one with a mistake is left alone", async () => {
  using home = new Home("[{ deny: { host: a.example.org } }] # short\n");
  await (await home.load()).remember({ verdict: "ask", kind: "command", pattern: "git push *" }, "always");
  expect((await home.load()).list().map(({ pattern }) => pattern)).toEqual(["a.example.org", "git push *"]);
  expect(readFileSync(home.file, "utf8")).toContain("# short");
  const rules = await home.load();
  writeFileSync(home.file, "- alow: x\n");
  const rule = { verdict: "allow", kind: "host", pattern: "b.example.org" } as const;
  await expect(rules.remember(rule, "always")).rejects.toThrow("alow is nothing that a rule has");
  expect(readFileSync(home.file, "utf8")).toBe("- alow: x\n");
});

test("what is said for a conversation or for the next step is in no file, and is forgotten", async () => {
  using home = new Home("- deny: { host: b.example.org }\n");
  const rules = await home.load();
  const allow = (pattern: string) => ({ verdict: "allow", kind: "host", pattern }) as const;
  expect(await rules.remember(allow("*.example.org"), "conversation")).toBe(
    "Until this conversation is left, code may reach every host below example.org on any port.",
  );
  expect(await rules.remember(allow("b.example.org"), "once")).toBe(
    `For the next step, code may reach b.example.org on any port. But a stricter rule holds all the same: deny host b.example.org (${home.file}:1).`,
  );
  expect(rules.judge(host("a.example.org")).verdict).toBe("allow");
  expect(rules.judge(host("b.example.org")).verdict).toBe("deny");
  rules.forget("once");
  expect(rules.list()).toHaveLength(2);
  rules.forget("conversation");
  expect(rules.judge(host("a.example.org")).verdict).toBe("ask");
  expect(readFileSync(home.file, "utf8")).toBe("- deny: { host: b.example.org }\n");
});
