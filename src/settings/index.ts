export type { CustomLanguage } from "./custom-languages.ts";
export { type CommandLine, readCommandLine } from "./flags.ts";
export { helpText } from "./help.ts";
export { loadSettings } from "./load.ts";
export { type Choices, defaults, type Option, options, type Settings } from "./options.ts";
export { type Places, places } from "./places.ts";
export { InputProblem, nearest } from "./problem.ts";
export { checkValue } from "./values.ts";
