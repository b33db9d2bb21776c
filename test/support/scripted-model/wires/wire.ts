// What every wire format knows how to write.

import type { Delta, Item } from "../deltas.ts";
import type { Reply } from "../script.ts";

export type WireName = "openai" | "responses" | "anthropic" | "google" | "ollama";

export interface Wire {
  name: WireName;
  contentType: string;
  /** What comes before the first delta. */
  open(model: string): string[];
  delta(delta: Delta): string[];
  /** What comes after the last delta of a reply that finishes. */
  close(items: readonly Item[], reply: Reply): string[];
  /** An error in the middle of a stream that began well. */
  errorEvent(message: string): string[];
  garbage(text: string): string[];
  /** The body of a refusal. */
  errorBody(status: number, message: string): unknown;
}

export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

export const rawEvent = (text: string): string => `data: ${text}\n\n`;
