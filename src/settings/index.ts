export type { CustomLanguage } from "./custom-languages.ts";
export { type CommandLine, readCommandLine } from "./flags.ts";
export { helpText } from "./help.ts";
export type { FoundKey, KeyOwner, KeyPlace } from "./keys/index.ts";
export { loadSettings } from "./load.ts";
export { type Choices, defaults, type Option, options, type Settings } from "./options.ts";
export { type Places, places } from "./places.ts";
export { InputProblem, nearest } from "./problem.ts";
export { checkValue } from "./values.ts";

/** Where keys are kept. Loaded when the environment does not have the one that is needed. */
export const openKeys = () => import("./keys/index.ts");

/** Writes a setting into settings.yaml; few starts do. */
export const keepSetting = async (name: string, value: string): Promise<string> =>
  (await import("./keep.ts")).keepSetting(name, value);
