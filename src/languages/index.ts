export { type BridgeCall, noComputer, type OnCall } from "./bridge.ts";
export { type Completion, SessionBusyError, type Variable } from "./inspection.ts";
export { findKernelLanguage, jupyterServerLanguages } from "./jupyter/index.ts";
export {
  type Language,
  type LendTerminal,
  type Session,
  type SessionEnd,
  type SessionEvent,
  type SessionOptions,
  SessionStartError,
} from "./language.ts";
export { allLanguages } from "./languages.ts";
export type { SessionFacts } from "./session-facts.ts";
export { Sessions } from "./sessions.ts";
export { type Restored, type Room, readSavedState, type SavedName, type SavedState, StateError } from "./state.ts";
export type { Order, TableAnswer, TableRequest } from "./table-view.ts";
