import type { Value } from "./values.ts";

export type { AskTrust } from "./admit-project.ts";
export type { GivenByCode, ProfileContext } from "./code-profile.ts";
export type { CustomLanguage } from "./custom-languages.ts";
export { type CommandLine, readCommandLine } from "./flags.ts";
export { helpText } from "./help.ts";
export { homeProblem } from "./home-problem.ts";
export { parseDotEnv } from "./keys/dot-env.ts";
export type { FoundKey, KeyOwner, KeyPlace } from "./keys/index.ts";
export { keptKeyValues } from "./keys/key-file.ts";
export { type Loaded, type LoadOptions, loadSettings } from "./load.ts";
export { noticesFor } from "./notices.ts";
export { type Choices, type CommandOption, defaults, type Option, options, type Settings } from "./options/index.ts";
export { type Origin, originText } from "./origin.ts";
export { type Places, places } from "./places.ts";
export { readPlainFile } from "./plain-file.ts";
export { InputProblem, nearest } from "./problem.ts";
export { hasInstructions } from "./project.ts";
export type { Judgement, RuleKind, Rules, Scope, Subject, Verdict, WrittenRule } from "./rules/index.ts";
export {
  completionShells,
  findSubcommand,
  hookShells,
  type Subcommand,
  type SubcommandName,
  subcommands,
} from "./subcommands.ts";
export { checkValue, sizeText, type Value } from "./values.ts";
export { isNew } from "./welcome.ts";

/** Where keys are kept. Loaded when the environment does not have the one that is needed. */
export const openKeys = () => import("./keys/index.ts");

/** Writes a setting into settings.yaml; few starts do. */
export const keepSetting = async (name: string, value: Value): Promise<string> =>
  (await import("./keep.ts")).keepSetting(name, value);

/** For those who look at the settings themselves: names, files, profiles, trust, the schema. */
export const openSettings = () => import("./inside.ts");

/** Rules about what code may do: needed with the first session, and by those who look at them. */
export const openRules = () => import("./rules/index.ts");

/** Completions and the manual page, made from the same tables as the help. */
export const loadCompletions = () => import("./completions.ts");
export const loadManual = () => import("./man.ts");

/** Profiles that are written or put aside by a flag. */
export const loadSavedProfiles = () => import("./saved-profiles.ts");
