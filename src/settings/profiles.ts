// Finds a profile by its name or path and reads it: one of the person's own, one of the original's, or one that came along.

import { existsSync, readdirSync } from "node:fs";
import { extname, isAbsolute, join, resolve } from "node:path";
import { bundledProfiles } from "./bundled-profiles.ts";
import { type GivenByCode, type ProfileContext, readCodeProfile } from "./code-profile.ts";
import { type FileChoices, parseYaml, read, readChoices } from "./files.ts";
import type { Choices } from "./options/index.ts";
import { isOriginalProfile, translateProfile } from "./original-profile.ts";
import type { Places } from "./places.ts";
import { InputProblem, nearest } from "./problem.ts";

export interface Profile {
  name: string;
  choices: Choices;
  path?: string;
  lines?: FileChoices["lines"];
  /** For the model, beside the person's own instructions. */
  instructions?: string;
  given?: GivenByCode;
  /** What the person must know. */
  notice?: string;
}

const asData = [".yaml", ".yml", ".json"];
const asCode = [".ts", ".mts", ".js", ".mjs"];
const all = [...asData, ...asCode];

/** `folder` is what a path begins from. A name of the person's own goes before one that came along. */
export async function readProfile(
  name: string,
  places: Places,
  folder: string,
  context: ProfileContext,
): Promise<Profile> {
  if (/^https?:\/\/|^i\.com\//.test(name))
    throw new InputProblem(
      "Profiles are not fetched from the network.",
      "Download it, read it, and name the file: --profile PATH",
    );
  const path = findFile(name, places, folder);
  const bundled = Object.hasOwn(bundledProfiles, name) ? bundledProfiles[name] : undefined;
  if (path) return readFile(name, path, context);
  if (bundled) return { name, ...bundled };
  throw missing(name, places, folder);
}

async function readFile(name: string, path: string, context: ProfileContext): Promise<Profile> {
  if (asCode.includes(extname(path))) return { name, path, ...(await readCodeProfile(path, context)) };
  const entries = await parseYaml(path, read(path));
  const profile = isOriginalProfile(entries) ? await translateProfile(entries) : await readChoices(entries);
  if (profile.choices.profile !== undefined)
    throw new InputProblem(`${path}:${profile.lines.profile}: a profile cannot name another one.`);
  return { name, ...profile };
}

/** Code in the working folder is taken only from what is plainly a path: ./NAME.ts. */
function findFile(name: string, places: Places, folder: string): string | undefined {
  const extension = extname(name);
  const names = all.includes(extension) ? [name] : all.map((each) => `${name}${each}`);
  const isPath = isAbsolute(name) || /[\\/]/.test(name);
  const kept = isPath ? [] : places.profiles.flatMap((kept) => names.map((each) => join(kept, each)));
  const here = isPath || asData.includes(extension) ? names.map((each) => resolve(folder, each)) : [];
  return [...kept, ...here].find((path) => existsSync(path));
}

function missing(name: string, places: Places, folder: string): InputProblem {
  const python = [resolve(folder, name), ...places.profiles.map((kept) => join(kept, name))]
    .map((path) => (path.endsWith(".py") ? path : `${path}.py`))
    .find((path) => existsSync(path));
  if (python)
    return new InputProblem(
      `${python} is a profile in Python, and those do not run here.`,
      "Write its settings as YAML, and what must be code as TypeScript: docs/profiles.md",
    );
  const near = nearest(name, [...Object.keys(bundledProfiles), ...ownProfiles(places).map((each) => each.name)]);
  return new InputProblem(
    `There is no profile ${JSON.stringify(name)}.`,
    near
      ? `Did you mean ${near}?`
      : `A profile is a YAML file of settings in ${places.profiles[0]}, or one of ${Object.keys(bundledProfiles).join(", ")}.`,
  );
}

/** The person's own, by name. */
export function ownProfiles(places: Places): { name: string; path: string }[] {
  return places.profiles.flatMap((folder) => {
    const files = existsSync(folder) ? readdirSync(folder).sort() : [];
    return files.flatMap((file) => {
      const extension = extname(file);
      return all.includes(extension) ? [{ name: file.slice(0, -extension.length), path: join(folder, file) }] : [];
    });
  });
}
