export {
  type Language,
  type Session,
  type SessionEnd,
  type SessionEvent,
  type SessionOptions,
  SessionStartError,
} from "./language.ts";
export { allLanguages } from "./languages.ts";
export { Sessions } from "./sessions.ts";
