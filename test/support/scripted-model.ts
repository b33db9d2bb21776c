// The door of the scripted model: a real HTTP server that speaks the providers' wire formats and says what it is told.

export {
  type Call,
  call,
  type Piece,
  type Reply,
  type ReplyOptions,
  type Run,
  reply,
  run,
  type Say,
  say,
  type Think,
  think,
  thinkSealed,
} from "./scripted-model/script.ts";
export { type RecordedRequest, type Script, type ScriptedModel, scriptedModel } from "./scripted-model/server.ts";
