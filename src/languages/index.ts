export { type BridgeCall, noComputer, type OnCall } from "./bridge.ts";
export { findProgram } from "./find-program.ts";
export { type Completion, SessionBusyError, type Variable } from "./inspection.ts";
export { findKernelLanguage, jupyterServerLanguages } from "./jupyter/index.ts";
export {
  type Hold,
  type Language,
  type LendTerminal,
  type Session,
  type SessionEnd,
  type SessionEvent,
  type SessionOptions,
  SessionStartError,
} from "./language.ts";
export { allLanguages } from "./languages.ts";
export { findPython } from "./python/find-python.ts";
export type { SessionFacts } from "./session-facts.ts";
export { Sessions, type SessionWatcher } from "./sessions.ts";
export {
  type BlockFacts,
  type Restored,
  type Room,
  readSavedState,
  type SavedName,
  type SavedState,
  StateError,
} from "./state.ts";
export type { Order, TableAnswer, TableRequest } from "./table-view.ts";

/** What blocks of JavaScript need and make: loaded by those who look at them without running them. */
export const loadJavascriptNames = () => import("./javascript/names.ts");
/** What a block of JavaScript or TypeScript is made of. */
export const loadJavascriptParser = () => import("./javascript/parse.ts");
