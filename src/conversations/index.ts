export type { ExportKind } from "./export/index.ts";
export type { Fork } from "./fork.ts";
export { Keeper, type Told } from "./keeper.ts";
export { type Entry, type Header, logName } from "./lines.ts";
export type { Listed } from "./list.ts";
export { type Conversation, latestConversation, loadConversation } from "./load.ts";
export { ConversationLog } from "./log.ts";
export { newName } from "./name.ts";
export type { Found, Place } from "./search.ts";
export { openSpending, type Spending } from "./spending.ts";
export type { KeptState, StateStore } from "./state/store.ts";
export { turnStarts } from "./turns.ts";

/** Listing, searching, copying, naming and deleting conversations: loaded when somebody looks for one. */
export const loadArchive = () => import("./archive.ts");

/** Conversations as files of other kinds. */
export const loadExport = () => import("./export/index.ts");

/** Conversations reduced to what their results need, and run again to see whether that is all. */
export const loadClean = async () => ({
  ...(await import("./clean/index.ts")),
  ...(await import("./verify/index.ts")),
});
export type { Clean } from "./clean/index.ts";
export type { Artefact, Ran, Runner, Verdict } from "./verify/index.ts";

/** Notebooks as conversations. */
export const loadImport = () => import("./import/index.ts");

/** What the sessions held: loaded when something is saved, or brought back. */
export const loadStates = () => import("./state/store.ts");
