// What `interpreter config`, `interpreter trust` and the first run need of this room, and no other start.

export { readProject } from "./admit-project.ts";
export { bundledProfiles } from "./bundled-profiles.ts";
export { checkYaml } from "./files.ts";
export { findSetting, notASetting, settable } from "./find-option.ts";
export { dropSetting, keepSetting, settingsPath } from "./keep.ts";
export { ownProfiles } from "./profiles.ts";
export { findProjectSettings, projectFolders, readInstructions } from "./project.ts";
export type { ProjectChoices } from "./project-rules.ts";
export { settingsSchema } from "./schema.ts";
export { forgetTrust, isTrusted, keepTrust, trustOf } from "./trust.ts";
export { valueFromText } from "./values.ts";
export { rememberWelcome } from "./welcome.ts";
