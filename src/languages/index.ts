export { type BridgeCall, noComputer, type OnCall } from "./bridge.ts";
export { type Completion, SessionBusyError, type Variable } from "./inspection.ts";
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
export { Sessions } from "./sessions.ts";
