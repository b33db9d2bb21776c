// Asks a model and tells what came of it in a form that is easy to compare.

import type { Message } from "../../src/messages/index.ts";
import {
  type Model,
  type ModelChoice,
  type ModelEvent,
  type ModelFailure,
  resolveModel,
  type Usage,
} from "../../src/models/index.ts";

export interface Told {
  events: ModelEvent[];
  text: string;
  reasoning: string;
  blocks: { language: string; code: string; complete: boolean }[];
  usage?: Usage;
  retries: ModelFailure[];
  finish?: string;
  failure?: ModelFailure;
}

export const languages = ["python", "javascript", "shell"];

export const user = (content: string): Message => ({ role: "user", type: "message", content });

export interface Question {
  system?: string;
  messages?: readonly Message[];
  languages?: readonly string[];
  signal?: AbortSignal;
  onEvent?: (event: ModelEvent) => void;
}

/** A model at an address of the test's own; no key and no variable of the real environment is used. */
export const modelAt = (apiBase: string, choice: Partial<ModelChoice> = {}): Model =>
  resolveModel({ model: "openai/scripted", apiBase, env: {}, ...choice });

export async function ask(model: Model, question: Question = {}): Promise<Told> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream({
    system: question.system ?? "You are a test.",
    messages: question.messages ?? [user("Go.")],
    languages: question.languages ?? languages,
    signal: question.signal ?? new AbortController().signal,
  })) {
    events.push(event);
    question.onEvent?.(event);
  }
  return tell(events);
}

/** Folds events, and refuses those that break the contract of the stream. */
export function tell(events: ModelEvent[]): Told {
  const told: Told = { events, text: "", reasoning: "", blocks: [], retries: [] };
  let open: string | undefined;
  let over = false;
  for (const event of events) {
    if (over) throw new Error(`${event.type} after the end`);
    if (open !== undefined && !event.type.startsWith("code")) throw new Error(`${event.type} inside a block`);
    switch (event.type) {
      case "text-delta":
        if (event.text === "") throw new Error("an empty delta");
        told.text += event.text;
        break;
      case "reasoning-delta":
        told.reasoning += event.text;
        break;
      case "code-start":
        if (open !== undefined) throw new Error("a block inside a block");
        open = event.id;
        told.blocks.push({ language: event.language, code: "", complete: false });
        break;
      case "code-delta":
        if (open !== event.id) throw new Error("code of a block that is not open");
        told.blocks.at(-1)!.code += event.text;
        break;
      case "code-end":
        if (open !== event.id) throw new Error("the end of a block that is not open");
        told.blocks.at(-1)!.complete = event.complete;
        open = undefined;
        break;
      case "usage":
        told.usage = event.usage;
        break;
      case "retry":
        told.retries.push(event.failure);
        break;
      case "finish":
        told.finish = event.reason;
        over = true;
        break;
      case "failure":
        told.failure = event.failure;
        over = true;
        break;
    }
  }
  return told;
}
