// The door of the models room: who writes the code.

import type { LocalServer } from "./local/index.ts";

export { bytesIn } from "./bytes.ts";
export { allProviders, findProvider, type Provider, type Wire } from "./catalogue/index.ts";
export { suggestModel } from "./catalogue/suggest.ts";
export { isEmbedded, isWeightsPath } from "./embedded/names.ts";
export { keyOwner, keyOwners } from "./key-owner.ts";
export type { KnownModel } from "./list-models.ts";
export type { LocalServer, ServerProgram } from "./local/index.ts";
export { MissingKeyError, ModelNameError } from "./model-name-error.ts";
export { isForwarded } from "./offline.ts";
export { type ModelChoice, resolveModel } from "./resolve.ts";
export { addUsage, cachedShare, costOf, count, dollars, noUsage, type Totals } from "./totals.ts";
export type * from "./types.ts";
export { findUsableModels, type UsableProvider, withoutModelKeys } from "./usable.ts";

/** Model servers on this machine: loaded when somebody looks for them. */
export const loadLocal = () => import("./local/index.ts");
export const findLocalServers = async (): Promise<LocalServer[]> => (await loadLocal()).findLocalServers();

/** Models without a server: loaded when somebody wants one. */
export const loadEmbedded = () => import("./embedded/index.ts");

/** What is known of every model: loaded when somebody wants to see it. */
export const loadModelList = async () => ({
  ...(await import("./list-models.ts")),
  ...(await import("./catalogue/refresh.ts")),
});
