// What a scripted model says: replies made of pieces, with the faults a real server can have.

export interface Say {
  type: "say";
  text: string;
}
export interface Think {
  type: "think";
  text: string;
  /** Only for the model itself: the client gets it sealed. Only Anthropic's wire has this. */
  redacted?: boolean;
}
export interface Run {
  type: "run";
  language: string;
  code: string;
}
/** A tool call with any name and any argument text, well formed or not. */
export interface Call {
  type: "call";
  name: string;
  arguments: string;
}
export type Piece = Say | Think | Run | Call;

export interface ReplyUsage {
  input: number;
  output: number;
  cached?: number;
  /** Written to the provider's cache. */
  kept?: number;
  reasoning?: number;
}

export interface ReplyOptions {
  usage?: ReplyUsage;
  finish?: "stop" | "length" | "content-filter";
  /** Characters per delta; 12 unless told. */
  chunk?: number;
  /** Milliseconds between deltas. */
  drip?: number;
  /** After so many deltas nothing more comes, and the connection stays open. */
  stallAfter?: number;
  /** After so many deltas the socket is destroyed. */
  cutAfter?: number;
  /** After so many deltas the response ends cleanly, without saying that the reply is finished. */
  endAfter?: number;
  /** Deltas of the pieces take turns instead of following one another. */
  interleave?: boolean;
  /** Answer with this status instead of a stream. */
  status?: number;
  headers?: Record<string, string>;
  /** Body of a reply with a status: text, or a value sent as JSON. */
  body?: unknown;
  /** After the pieces, an error event with this message instead of the end. */
  errorEvent?: string;
  /** After the pieces, this as the data of an event, and then the end without a finish. */
  garbage?: string;
  /** Send byte by byte. */
  bytes?: boolean;
}

export interface Reply {
  pieces: Piece[];
  options: ReplyOptions;
}

export const say = (text: string): Say => ({ type: "say", text });
export const think = (text: string): Think => ({ type: "think", text });
export const thinkSealed = (text: string): Think => ({ type: "think", text, redacted: true });
export const run = (language: string, code: string): Run => ({ type: "run", language, code });
export const call = (name: string, rawArguments: string): Call => ({ type: "call", name, arguments: rawArguments });

/** Pieces in order, and at the end, if wanted, options. */
export function reply(...parts: (Piece | string | ReplyOptions)[]): Reply {
  const pieces: Piece[] = [];
  let options: ReplyOptions = {};
  for (const part of parts) {
    if (typeof part === "string") pieces.push(say(part));
    else if (isPiece(part)) pieces.push(part);
    else options = { ...options, ...part };
  }
  return { pieces, options };
}

export function toReply(value: Reply | Piece | string): Reply {
  if (typeof value === "string" || "type" in value) return reply(value);
  return value;
}

function isPiece(part: Piece | ReplyOptions): part is Piece {
  return "type" in part;
}
