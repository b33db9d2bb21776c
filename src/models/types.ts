// The seam behind which every model lives: messages in, a stream of plain events out.
// Contract: `stream` never throws and always ends with exactly one `finish` or `failure`.

import type { FromProvider, Message } from "../messages/index.ts";

/** How a model says "run this": a call of the one tool `execute(language, code)`, or fenced markdown. */
export type Dialect = "tool" | "markdown";

export interface ModelRequest {
  system: string;
  messages: readonly Message[];
  /** Names the model may use as `language`. */
  languages: readonly string[];
  /** A JSON Schema: the reply is to be JSON that follows it, and no code. Asked for in words too, for those that cannot be held to it. */
  answer?: boolean | Readonly<Record<string, unknown>>;
  signal: AbortSignal;
}

export interface Model {
  /** As the user names it: `provider/name`. */
  readonly id: string;
  readonly dialect: Dialect;
  /** What is known of it. Reads no network but a server's on this machine; never throws. */
  facts?(): Promise<ModelFacts>;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** Gives back what it holds in memory. It may be asked again afterwards. */
  close?(): Promise<void>;
}

export type ModelEvent =
  | { type: "text-delta"; text: string }
  /** Ends a message when its provider wants something back with it. */
  | { type: "text-end"; provider: FromProvider }
  | { type: "reasoning-delta"; text: string }
  /** Ends a piece of thinking. There may have been no text: some of it is only for the model itself. */
  | { type: "reasoning-end"; provider?: FromProvider }
  | { type: "code-start"; id: string; language: string }
  | { type: "code-delta"; id: string; text: string }
  /** `complete: false` when the reply was cut before the block was whole: it must not run. */
  | { type: "code-end"; id: string; complete: boolean; provider?: FromProvider }
  /** Something the person should know while they wait. */
  | { type: "notice"; text: string }
  | { type: "usage"; usage: Usage }
  /** A fault before anything was shown; the request is made again after `delay` ms. */
  | { type: "retry"; attempt: number; delay: number; failure: ModelFailure }
  | { type: "finish"; reason: "stop" | "length" | "content-filter" | "aborted" | "other" }
  | { type: "failure"; failure: ModelFailure };

export interface Usage {
  /** Everything that was read, with what was cached. */
  inputTokens: number;
  /** Everything that was written, with the thinking. */
  outputTokens: number;
  cachedInputTokens: number;
  /** Written to the provider's cache; some charge more for these. */
  cacheWriteTokens?: number;
  reasoningTokens: number;
  /** Dollars; absent when the prices are not known. */
  cost?: number;
}

/** What is absent is not known. */
export interface ModelFacts {
  /** Tokens it can read and write together. */
  contextWindow?: number;
  /** Tokens of its longest reply. */
  maxOutput?: number;
  prices?: Prices;
  vision?: boolean;
  tools?: boolean;
  reasoning?: boolean;
}

/** Dollars for a million tokens. */
export interface Prices {
  input: number;
  output: number;
  cachedInput?: number;
  cacheWrite?: number;
}

export type FailureKind =
  | "authentication"
  | "not-found"
  | "rate-limit"
  | "quota"
  | "overloaded"
  | "connection"
  | "cut-off"
  | "context-window"
  | "bad-request"
  | "unknown";

/** What went wrong, as a value a person can read. */
export interface ModelFailure {
  kind: FailureKind;
  /** One sentence: what happened and why. */
  message: string;
  /** One sentence: what to do next. */
  hint: string;
  status?: number;
  /** The server's own words, where they tell more. */
  detail?: string;
}
