// Puts the choices together: defaults, then the settings file, the profile, the environment, and the flags.

import type { CustomLanguage } from "./custom-languages.ts";
import { readProfile, readSettingsFile } from "./files.ts";
import type { CommandLine } from "./flags.ts";
import { type Choices, defaults, type Option, options, type Settings } from "./options.ts";
import { places } from "./places.ts";
import { valueFromText } from "./values.ts";

export async function loadSettings(line: CommandLine, cwd: string, env: NodeJS.ProcessEnv): Promise<Settings> {
  const where = places(env);
  const { profile } = line.choices;
  const files = [await readSettingsFile(where), profile ? await readProfile(profile, where, cwd) : {}];
  const customLanguages = byName(files.flatMap((choices) => choices.customLanguages ?? []));
  return {
    ...defaults,
    ...Object.assign({}, ...files),
    ...(customLanguages.length > 0 && { customLanguages }),
    ...fromEnvironment(env),
    ...line.choices,
  };
}

/** A profile adds languages; one with a name that is there already takes its place. */
function byName(languages: readonly CustomLanguage[]): CustomLanguage[] {
  return [...new Map(languages.map((language) => [language.name, language])).values()];
}

/** INTERPRETER_MODEL, INTERPRETER_AUTO_RUN … one for every setting. */
function fromEnvironment(env: NodeJS.ProcessEnv): Choices {
  const choices: Record<string, unknown> = {};
  for (const option of options as readonly Option[]) {
    const name = `INTERPRETER_${option.flag.toUpperCase()}`;
    const text = env[name];
    if (text && !option.once) choices[option.name] = valueFromText(option, text, name);
  }
  return choices as Choices;
}
