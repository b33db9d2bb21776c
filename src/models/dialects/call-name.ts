// What a call's name says: models call the one tool `python`, `run_code` or `functions.execute` as well.

import { isExecutable } from "./labels.ts";

const runners = new Set("execute execution exec run interpreter terminal console command cmd repl eval".split(" "));

/** A call under the name of a language is a call in that language; any other name means the one tool. */
export function languageInName(name: string | undefined, languages: readonly string[]): string | undefined {
  if (name === undefined) return undefined;
  const bare = name.replace(/^functions?\./, "").toLowerCase();
  const word =
    /^(?:run|execute|exec)_(\w+)$/.exec(bare)?.[1] ?? /^(\w+)_(?:run|execute|exec|code)$/.exec(bare)?.[1] ?? bare;
  return isExecutable(word, languages) ? word : undefined;
}

/** True for a name that means running code. */
export function isRunner(name: string, languages: readonly string[]): boolean {
  if (languageInName(name, languages) !== undefined) return true;
  const words = name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  return words.split(/[^a-z0-9]+/).some((word) => runners.has(word));
}
