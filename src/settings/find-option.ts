// Finds an option by the name a person wrote in a settings file or for `interpreter config`: either spelling, any dashes.

import { type Option, options } from "./options/index.ts";
import { InputProblem, nearest } from "./problem.ts";

/** What can stand in a file: everything that is not about one start only. */
export const settable: readonly Option[] = (options as readonly Option[]).filter((option) => !option.once);

export function findSetting(written: string): Option | undefined {
  const plain = written.replaceAll("-", "_");
  return settable.find((option) => option.flag === plain || option.name === written);
}

/** For a name that is none, with the one that is likely meant. `more` are names that would be right here besides. */
export function notASetting(where: string, written: string, more: readonly string[] = []): InputProblem {
  const near = nearest(written.replaceAll("-", "_"), [...settable.map(({ flag }) => flag), ...more]);
  return new InputProblem(
    `${where} is not a setting.`,
    near ? `Did you mean ${near}?` : "docs/settings.md lists every setting.",
  );
}
