// What a block would do, in the model's words, for the person who is asked about it. Not part of the conversation.

import type { Message } from "../messages/index.ts";
import type { Model, Usage } from "../models/index.ts";
import prompt from "./explain-prompt.md";

export interface ExplainRequest {
  model: Model;
  language: string;
  code: string;
  /** Called with what it used. */
  used: (usage: Usage) => void;
  signal: AbortSignal;
}

export async function* explain({ model, language, code, used, signal }: ExplainRequest): AsyncGenerator<string> {
  const messages: Message[] = [{ role: "user", type: "message", content: `This is ${language}:\n\n${code}` }];
  for await (const event of model.stream({ system: prompt.trim(), messages, languages: [], signal })) {
    if (event.type === "text-delta" || event.type === "code-delta") yield event.text;
    else if (event.type === "failure") yield event.failure.message;
    else if (event.type === "usage") used(event.usage);
  }
}
