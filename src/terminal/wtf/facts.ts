// What can be found out about a command that failed by looking, without changing or running anything of the person's.

import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { findTool } from "../../machine/index.ts";
import { nearest, readPlainFile } from "../../settings/index.ts";
import { hasHidden } from "./mask.ts";
import type { FailedCommand } from "./record.ts";

/** One line each. */
export async function factsAbout({ command, folder }: FailedCommand, env: NodeJS.ProcessEnv): Promise<string[]> {
  const words = wordsOf(command);
  const first = words.findIndex(
    (word) => !/^\w+=/.test(word) && !/^(sudo|doas|command|builtin|time|nohup|env|exec)$/.test(word),
  );
  const program = words[first];
  if (program === undefined) return [];
  const rest = words.slice(first + 1);
  return [
    aboutProgram(program, folder, env),
    ...aboutFiles(rest, folder),
    ...(basename(program) === "git" ? await aboutGit(folder, env) : []),
    ...(/^(npm|pnpm|yarn|bun)$/.test(basename(program)) ? aboutScripts(folder) : []),
  ];
}

/** Up to the first pipe or the like; quotes are taken off. Near enough for looking. */
function wordsOf(command: string): string[] {
  const simple = command.split(/[|;&<>\n]/, 1)[0]!;
  return (simple.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
}

function aboutProgram(program: string, folder: string, env: NodeJS.ProcessEnv): string {
  if (program.includes("/")) {
    const path = resolve(folder, expand(program));
    return existsSync(path) ? `${program} is ${kindOf(path)}` : `${program} does not exist`;
  }
  const folders = (env.PATH ?? "").split(delimiter).filter((each) => each !== "");
  const found = folders.map((each) => join(each, program)).find(isProgram);
  if (found) return `${program} is the program ${found}`;
  const names = new Set(folders.flatMap(namesIn));
  const near = nearest(program, [...names]);
  return `no program ${program} is on the PATH (it may be a builtin, an alias or a function)${near ? `; there is ${near}` : ""}`;
}

function aboutFiles(words: readonly string[], folder: string): string[] {
  const named = words.filter((word) => !word.startsWith("-") && !hasHidden(word) && !/[*?$(){}]|:\/\//.test(word));
  return named.slice(0, 8).flatMap((word) => {
    const path = resolve(folder, expand(word));
    if (existsSync(path)) return [`${word} is ${kindOf(path)}`];
    if (!/[./\\]/.test(word)) return [];
    const near = nearest(basename(path), namesIn(dirname(path)));
    return [`${word} does not exist${near ? `; beside it there is ${near}` : ""}`];
  });
}

function kindOf(path: string): string {
  const stat = statSync(path);
  if (stat.isDirectory()) return "a folder";
  if (!stat.isFile()) return "no ordinary file";
  return `a file of ${stat.size} bytes, ${isProgram(path) ? "executable" : "not executable"}`;
}

/** Without the lock that `status` would take, and without the watcher that a repository may name. */
async function aboutGit(folder: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const args = ["--no-optional-locks", "-c", "core.fsmonitor=false", "status", "--short", "--branch"];
  const status = await new Promise<string>((done) => {
    execFile(
      findTool("git", { env, cwd: folder }) ?? "git",
      args,
      { cwd: folder, env, timeout: 3_000, windowsHide: true },
      (_, stdout) => done(stdout),
    );
  });
  const lines = status.trimEnd().split("\n").slice(0, 15);
  return status === "" ? ["this is no git repository"] : [`git status: ${lines.join("; ")}`];
}

function aboutScripts(folder: string): string[] {
  try {
    const file = readPlainFile(join(folder, "package.json"), 1_000_000);
    const { scripts = {} } = JSON.parse(String(file?.bytes)) as { scripts?: object };
    return [`package.json has the scripts: ${Object.keys(scripts).slice(0, 30).join(", ") || "none"}`];
  } catch {
    return ["there is no package.json here that can be read"];
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const expand = (path: string): string => path.replace(/^~(?=\/|$)/, () => homedir());
