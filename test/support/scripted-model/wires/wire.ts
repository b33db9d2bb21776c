// What every wire format knows how to write.

import type { Delta, Item } from "../deltas.ts";
import type { Reply } from "../script.ts";
import type { Issued } from "../seals.ts";

export type WireName =
  | "openai"
  | "responses"
  | "anthropic"
  | "google"
  | "ollama"
  | "mistral"
  | "groq"
  | "deepseek"
  | "openrouter"
  | "xai"
  | "cohere"
  | "bedrock";

/** What is written at once: text, or the bytes of a format that is not text. */
export type Frame = string | Uint8Array;

export interface Wire {
  name: WireName;
  contentType: string;
  /** Why a request is refused: thinking of its own that came back changed, or not at all. */
  // biome-ignore lint/suspicious/noExplicitAny: a body has the shape of its wire
  check?(body: any, issued: readonly Issued[], model: string): string | undefined;
  /** What comes before the first delta. */
  open(model: string): Frame[];
  delta(delta: Delta): Frame[];
  /** What comes after the last delta of a reply that finishes. */
  close(items: readonly Item[], reply: Reply): Frame[];
  /** An error in the middle of a stream that began well. */
  errorEvent(message: string): Frame[];
  garbage(text: string): Frame[];
  /** The body of a refusal. */
  errorBody(status: number, message: string): unknown;
}

export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

export const rawEvent = (text: string): string => `data: ${text}\n\n`;
