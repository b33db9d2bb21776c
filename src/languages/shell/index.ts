// Shells: the person's own one under the name "shell", and bash, zsh and sh where one of them is asked for by name.

import { type Language, SessionStartError } from "../language.ts";
import { type FoundShell, findDefaultShell, findShell, type ShellName } from "./find-shell.ts";
import { startShell } from "./shell-session.ts";

/** The person's default shell. */
export const shell = shellLanguage(
  "shell",
  ["bash", "sh", "zsh", "console", "terminal", "shell-session"],
  findDefaultShell,
);
export const bash = shellLanguage("bash", [], (env) => findShell("bash", env));
export const zsh = shellLanguage("zsh", [], (env) => findShell("zsh", env));
export const sh = shellLanguage("sh", ["dash"], (env) => findShell("sh", env));

const named: Record<string, Language> = { bash, zsh, dash: sh };

/**
 * The language for a block with this label. All labels share the default shell, unless one names another shell that is
 * installed. `sh` is what people write for any shell, so it names none.
 */
export function shellNamed(label: string, env: NodeJS.ProcessEnv = process.env): Language | undefined {
  const name = label.toLowerCase();
  const asked = named[name];
  if (!asked) return name === shell.name || shell.aliases.includes(name) ? shell : undefined;
  const kind: ShellName = name === "dash" ? "sh" : (name as ShellName);
  return findDefaultShell(env)?.name !== kind && findShell(kind, env) ? asked : shell;
}

function shellLanguage(
  name: string,
  aliases: readonly string[],
  find: (env: NodeJS.ProcessEnv) => FoundShell | undefined,
): Language {
  const missing = () => {
    if (process.platform === "win32")
      return "Shell sessions need bash, zsh or sh, and Windows has none of them: use PowerShell.";
    return name === "shell" ? "No bash, zsh or sh was found." : `${name} is not installed.`;
  };
  return {
    name,
    aliases,
    extension: "sh",
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
