// The library: `import { Interpreter } from "open-interpreter"`.

export type { Approve, Ask, Block, Decision, TurnEnd } from "./agent/index.ts";
export {
  type AnswerEnd,
  type AskRunAgain,
  type Computer,
  type Deliverable,
  type Deliverables,
  Interpreter,
  type InterpreterOptions,
  NoAnswer,
  type Profile,
  type RunAgainOffer,
  type RunOptions,
  type Schema,
  TurnFailed,
} from "./interpreter/index.ts";
export type {
  Completion,
  Language,
  Session,
  SessionEvent,
  SessionFacts,
  SessionOptions,
  Variable,
} from "./languages/index.ts";
export {
  type Chunk,
  createFolder,
  createGrammar,
  foldChunks,
  type Message,
  type MimeBundle,
} from "./messages/index.ts";
export type { Model, ModelEvent, ModelRequest } from "./models/index.ts";
export { version } from "./version.ts";
