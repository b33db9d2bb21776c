// Finds the shells of this machine: the person's own, and others by name.

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { findProgram } from "../find-program.ts";

export type ShellName = "bash" | "zsh" | "sh";

export interface FoundShell {
  path: string;
  /** Which of our drivers it understands. */
  name: ShellName;
  /** For people: "bash", "sh (dash)". The version is added when the shell has started. */
  title: string;
}

const kinds: Record<string, ShellName> = { bash: "bash", zsh: "zsh", sh: "sh", dash: "sh", ksh: "sh" };
const usualFolders = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** The person's own shell if we can drive it, otherwise bash, otherwise sh. */
export function findDefaultShell(env: NodeJS.ProcessEnv): FoundShell | undefined {
  const own = env.SHELL;
  if (own && kinds[basename(own)] && isProgram(own)) return describe(own);
  return findShell("bash", env) ?? findShell("sh", env);
}

export function findShell(name: ShellName, env: NodeJS.ProcessEnv): FoundShell | undefined {
  if (process.platform === "win32") return undefined;
  for (const folder of [...(env.PATH ?? "").split(delimiter), ...usualFolders]) {
    if (!folder.startsWith("/")) continue;
    const path = join(folder, name);
    if (isProgram(path)) return describe(path);
  }
  return undefined;
}

/** fish has a syntax and a session of its own. */
export function findFish(env: NodeJS.ProcessEnv): string | undefined {
  return process.platform === "win32" ? undefined : findProgram(["fish"], env);
}

/** The person's own shell, if it is fish. */
export function findDefaultFish(env: NodeJS.ProcessEnv): string | undefined {
  const own = env.SHELL;
  return process.platform !== "win32" && own && basename(own) === "fish" && isProgram(own) ? own : undefined;
}

function describe(path: string): FoundShell {
  const called = basename(path);
  const really = basename(realpathSync(path));
  return { path, name: kinds[called]!, title: called === "sh" && really !== "sh" ? `sh (${really})` : called };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
