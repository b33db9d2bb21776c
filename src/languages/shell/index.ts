// Shells: the person's own one under the name "shell", and the others where one of them is asked for by its name.

import { terminalsInstalled } from "../../machine/index.ts";
import { type Language, SessionStartError } from "../language.ts";
import { cmd } from "./cmd-language.ts";
import { windowsShell } from "./cmd-windows-shell.ts";
import {
  type FoundShell,
  findDefaultFish,
  findDefaultShell,
  findFish,
  findShell,
  type ShellName,
} from "./find-shell.ts";
import { fish, fishAsShell } from "./fish-language.ts";
import { startShell } from "./shell-session.ts";

/** The person's default shell. */
export const shell = shellLanguage(
  "shell",
  ["bash", "sh", "zsh", "console", "terminal", "shell-session"],
  findDefaultShell,
);
export const bash = shellLanguage("bash", [], (env) => findShell("bash", env));
export const zsh = shellLanguage("zsh", [], (env) => findShell("zsh", env));
export const dash = shellLanguage("dash", [], (env) => findShell("sh", env));

const others: readonly [ShellName, Language][] = [
  ["bash", bash],
  ["zsh", zsh],
  ["sh", dash],
];

/**
 * The default shell, which every general name means, and those beside it that can be asked for by their own. `sh` is what
 * people write for any shell, so it is a general name.
 */
export function shellLanguages(env: NodeJS.ProcessEnv): Language[] {
  if (process.platform === "win32") return [windowsShell(env), cmd];
  const installed = (except?: ShellName) =>
    others.flatMap(([name, language]) => (name !== except && findShell(name, env) ? [language] : []));
  if (findDefaultFish(env) && terminalsInstalled()) {
    // What people write `sh` over is not for fish.
    const [posix, ...rest] = installed();
    return [fishAsShell, ...(posix ? [{ ...posix, aliases: ["sh", "bash", "zsh"] }] : []), ...rest];
  }
  return [shell, ...installed(findDefaultShell(env)?.name), ...(findFish(env) ? [fish] : [])];
}

function shellLanguage(
  name: string,
  aliases: readonly string[],
  find: (env: NodeJS.ProcessEnv) => FoundShell | undefined,
): Language {
  const missing = () => (name === "shell" ? "No bash, zsh or sh was found." : `${name} is not installed.`);
  return {
    name,
    aliases,
    extension: "sh",
    offered: name === "shell",
    async available({ env }) {
      return process.platform !== "win32" && find(env) ? true : missing();
    },
    async start(options) {
      const found = process.platform === "win32" ? undefined : find(options.env);
      if (!found) throw new SessionStartError(missing());
      return startShell(found, name, options);
    },
  };
}
