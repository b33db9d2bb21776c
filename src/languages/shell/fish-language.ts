// fish: the shell where it is the person's own, and otherwise one that runs when it is asked for by name.

import { terminalsInstalled } from "../../machine/index.ts";
import { howToInstall } from "../how-to-install.ts";
import { type Language, SessionStartError } from "../language.ts";
import { findDefaultFish, findFish } from "./find-shell.ts";
import { noTerminal, startFish } from "./fish-session.ts";

const missing = () => howToInstall("fish", { apt: "fish", brew: "fish", site: "https://fishshell.com" });

export const fish = fishLanguage("fish", [], findFish);

/** The person's default shell, where that is fish. */
export const fishAsShell: Language = {
  ...fishLanguage("shell", ["fish", "console", "terminal", "shell-session"], findDefaultFish),
  offered: true,
  note: "The shell here is fish: write fish syntax, which is not POSIX's. `read` has nobody to ask.",
};

function fishLanguage(
  name: string,
  aliases: readonly string[],
  find: (env: NodeJS.ProcessEnv) => string | undefined,
): Language {
  return {
    name,
    aliases,
    extension: "fish",
    offered: false,
    async available({ env }) {
      if (!find(env)) return missing();
      return terminalsInstalled() ? true : noTerminal;
    },
    async start(options) {
      const program = find(options.env);
      if (!program) throw new SessionStartError(missing());
      return startFish(program, name, options);
    },
  };
}
