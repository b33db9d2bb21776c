// `--save` writes the settings of a command line as a profile; `--reset_profile` puts one aside.

import { existsSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Choices, Option } from "./options/index.ts";
import { options } from "./options/index.ts";
import type { Places } from "./places.ts";
import { InputProblem } from "./problem.ts";
import { replaceFile } from "./replace-file.ts";

/** Says which file it is in now. What belongs to one start, and keys, are left out. */
export async function saveProfile(written: string, choices: Choices, cwd: string, places: Places): Promise<string> {
  const path = /\.ya?ml$/.test(written) ? resolve(cwd, written) : join(places.config, "profiles", `${written}.yaml`);
  const chosen = choices as Readonly<Record<string, unknown>>;
  const kept = (options as readonly Option[]).flatMap(({ name, flag, once, secret }) =>
    once || secret || chosen[name] === undefined ? [] : [[flag, chosen[name]] as const],
  );
  if (kept.length === 0)
    throw new InputProblem(
      "There is nothing to save: the command line has no settings.",
      "For example: interpreter --model ollama/llama3.1 --max_steps 20 --save small",
    );
  if (existsSync(path)) throw new InputProblem(`${path} is there already.`, "Choose another name, or remove it first.");
  const { stringify } = await import("./yaml.ts");
  replaceFile(path, stringify(Object.fromEntries(kept)));
  return path;
}

/** Says what was done. The file stays, under another name. */
export function setAside(written: string, places: Places): string {
  const name = /\.ya?ml$/.test(written) ? written : `${written}.yaml`;
  const path = /^(settings|default)\.ya?ml$/.test(name)
    ? join(places.config, "settings.yaml")
    : join(places.config, "profiles", name);
  if (!existsSync(path)) return `There is no ${path}: what comes with the program holds already.`;
  const aside = Array.from({ length: 1_000 }, (_, index) => `${path}.old${index === 0 ? "" : `-${index}`}`).find(
    (candidate) => !existsSync(candidate),
  );
  if (!aside) throw new InputProblem(`There are too many files ${path}.old….`, "Remove some of them.");
  renameSync(path, aside);
  return `${path} is put aside as ${aside}`;
}
