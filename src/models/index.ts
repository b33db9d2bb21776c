// The door of the models room: who writes the code.

export { catalogue, findProvider, type Provider, type Wire } from "./catalogue.ts";
export { findLocalServers, type LocalServer } from "./local-servers.ts";
export { ModelNameError } from "./model-name-error.ts";
export { type ModelChoice, resolveModel } from "./resolve.ts";
export type * from "./types.ts";
export { findUsableModels, type UsableProvider, withoutModelKeys } from "./usable.ts";
