// What both dialects do: take the parts of a provider's stream, give events, and know how the reply ended.

import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Author } from "../thinking.ts";
import type { ModelEvent } from "../types.ts";

/** `whole`: the model said it was done. `length`: it ran into its limit. `cut`: a broken connection or an abort. */
export type Ending = "whole" | "length" | "cut";

export interface ReplyReader {
  read(part: LanguageModelV4StreamPart): void;
  end(ending: Ending): void;
}

export interface ReaderContext {
  languages: readonly string[];
  emit(event: ModelEvent): void;
  newId(): string;
  /** Who is read: what it wants back of its reply is kept in its name. */
  author: Author;
}
