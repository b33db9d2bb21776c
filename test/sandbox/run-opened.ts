// Opens walls one after the other while they stand, and prints what code sees and may write each time. Run by opened.test.ts.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Interpreter } from "../../src/interpreter/index.ts";
import type { Scope } from "../../src/settings/index.ts";

const [, , base = "", layer = "auto"] = process.argv;
const at = (name: string): string => join(base, name);
for (const name of ["home/.ssh", "work", "out"]) mkdirSync(at(name), { recursive: true });
writeFileSync(at("home/.ssh/a"), "<a>");
writeFileSync(at("home/.ssh/b"), "<b>");
writeFileSync(at("home/.netrc"), "<netrc>");
const interpreter = new Interpreter({
  cwd: at("work"),
  sandbox: "workspace",
  layer: layer as "auto" | "checkpoint",
  conversation: true,
  autoRun: true,
  env: { ...process.env, HOME: at("home"), INTERPRETER_HOME: at("home/.oi") },
  python: "/usr/bin/python3",
});

/** What is seen of the secrets, and whether the folder beside could be written. */
async function look(): Promise<string> {
  rmSync(at("out/file"), { force: true });
  const code = `cat ~/.ssh/a ~/.ssh/b ~/.netrc; ls ~/.ssh | tr '\\n' ' '; echo x > '${at("out/file")}'`;
  const messages = await interpreter.computer.run("shell", code);
  const seen = messages.flatMap(({ content }) => String(content).match(/<\w+>/g) ?? []);
  return [...seen, ...(existsSync(at("out/file")) ? ["written"] : [])].join(" ");
}

const allow = (kind: "read" | "write", path: string, scope: Scope, verdict: "allow" | "deny" = "allow") =>
  interpreter.rule({ verdict, kind, pattern: at(path) }, scope);

const steps: [string, () => Promise<unknown>][] = [
  ["at first", async () => {}],
  [
    "one file, and a folder to write, once",
    () => allow("read", "home/.ssh/a", "once").then(() => allow("write", "out", "once")),
  ],
  ["that is over", async () => {}],
  [
    "another for the conversation, a third once",
    () => allow("read", "home/.ssh/b", "conversation").then(() => allow("read", "home/.netrc", "once")),
  ],
  ["the other is left", async () => {}],
  ["the whole folder once", () => allow("read", "home/.ssh", "once")],
  ["the other is left again", async () => {}],
  ["writing for the conversation", () => allow("write", "out", "conversation")],
  ["once besides, which ends before it", () => allow("write", "out", "once")],
  ["it goes on", async () => {}],
  [
    "all is forbidden",
    () =>
      allow("read", "home/.ssh/b", "conversation", "deny").then(() => allow("write", "out", "conversation", "deny")),
  ],
];
const seen: Record<string, string> = {};
for (const [name, change] of steps) {
  await change();
  seen[name] = await look();
}
await interpreter.reset();
seen["in another conversation"] = await look();
await interpreter.close();
console.log(JSON.stringify(seen));
process.exit();
