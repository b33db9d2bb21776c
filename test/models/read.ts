// Reads a reply in a dialect without a server between, for tests about how text is cut.

import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Ending } from "../../src/models/dialects/index.ts";
import { createMarkdownReader } from "../../src/models/dialects/markdown.ts";
import { createToolReader } from "../../src/models/dialects/tool.ts";
import type { Dialect, ModelEvent } from "../../src/models/index.ts";
import { joinCharacters } from "../../src/models/whole-characters.ts";
import { languages, type Told, tell } from "./ask.ts";

export function read(
  dialect: Dialect,
  parts: readonly LanguageModelV4StreamPart[],
  ending: Ending = "whole",
  allowed: readonly string[] = languages,
): Told {
  const events: ModelEvent[] = [];
  let ids = 0;
  const reader = (dialect === "tool" ? createToolReader : createMarkdownReader)({
    languages: allowed,
    emit: joinCharacters((event) => events.push(event)),
    newId: () => `id${++ids}`,
    author: { wire: "test", id: "test/model" },
  });
  for (const part of parts) reader.read(part);
  reader.end(ending);
  return tell(events);
}

export const text = (...deltas: string[]): LanguageModelV4StreamPart[] =>
  deltas.map((delta) => ({ type: "text-delta", id: "0", delta }));

export const toolCall = (name: string, ...deltas: string[]): LanguageModelV4StreamPart[] => [
  { type: "tool-input-start", id: "c", toolName: name },
  ...deltas.map((delta): LanguageModelV4StreamPart => ({ type: "tool-input-delta", id: "c", delta })),
  { type: "tool-input-end", id: "c" },
  { type: "tool-call", toolCallId: "c", toolName: name, input: deltas.join("") },
];

/** Cuts a text at these places, which may come in any order and too often. */
export function cut(whole: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => whole.slice(from, sorted[index] ?? whole.length));
}

/** What matters of a reply: not how it was cut. */
export const essence = ({ text: said, reasoning, blocks }: Told): unknown => ({ said, reasoning, blocks });
