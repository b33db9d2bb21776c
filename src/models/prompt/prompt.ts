// From the conversation to what a provider is sent. The same messages always give the same bytes, so that providers
// can cache what they have read before.

import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Message } from "../../messages/index.ts";
import type { Dialect } from "../types.ts";
import codeOutput from "./code-output.md";
import emptyCodeOutput from "./empty-code-output.md";
import { toPicture } from "./images.ts";
import { type Entry, fenced, isImage, isSilent, resultText, type Step, toEntries } from "./steps.ts";

export interface PromptOptions {
  dialect: Dialect;
  vision: boolean;
  /** How output is told in the markdown dialect; `{content}` is the output. */
  codeOutputTemplate?: string | undefined;
  emptyCodeOutputTemplate?: string | undefined;
  /** What a provider wants back with a call, by the id of the block. */
  recall(id: string): SharedV4ProviderOptions | undefined;
}

type UserMessage = Extract<LanguageModelV4Message, { role: "user" }>;
type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;

export function toPrompt(system: string, messages: readonly Message[], options: PromptOptions): LanguageModelV4Prompt {
  const writer = createWriter(system);
  const steps = options.dialect === "tool" ? writeCalls : writeFences;
  for (const entry of toEntries(messages)) {
    if (entry.type === "steps") steps(entry.steps, writer, options);
    else writeEntry(entry, writer, options);
  }
  return writer.prompt;
}

interface Writer {
  prompt: LanguageModelV4Prompt;
  user(part: UserMessage["content"][number]): void;
  assistant(part: AssistantMessage["content"][number]): void;
  nextCallId(wanted: string | undefined): string;
}

/** Joins what the same side says in a row into one message, and neighbouring texts into one text. */
function createWriter(system: string): Writer {
  const prompt: LanguageModelV4Prompt = system ? [{ role: "system", content: system }] : [];
  const used = new Set<string>();

  const say = (
    role: "user" | "assistant",
    part: UserMessage["content"][number] | AssistantMessage["content"][number],
  ) => {
    const last = prompt.at(-1);
    const content = last?.role === role ? (last.content as AssistantMessage["content"]) : undefined;
    const before = content?.at(-1);
    if (part.type === "text" && before?.type === "text") before.text += `\n\n${part.text}`;
    else if (content) content.push(part);
    else prompt.push({ role, content: [part] } as LanguageModelV4Message);
  };

  return {
    prompt,
    user: (part) => say("user", part),
    assistant(part) {
      // Some providers refuse a conversation that the assistant begins.
      if (prompt.every((message) => message.role === "system"))
        say("user", { type: "text", text: "[earlier messages left out]" });
      say("assistant", part);
    },
    nextCallId(wanted) {
      const usable = wanted !== undefined && /^[A-Za-z0-9]{9}$/.test(wanted) && !used.has(wanted);
      const id = usable ? wanted : `step${String(used.size + 1).padStart(5, "0")}`;
      used.add(id);
      return id;
    },
  };
}

function writeEntry(entry: Exclude<Entry, { type: "steps" }>, writer: Writer, options: PromptOptions): void {
  if (entry.type === "assistant-text") writer.assistant({ type: "text", text: entry.text });
  else if (entry.type === "user-text") writer.user({ type: "text", text: entry.text });
  else writeImage(entry.message, writer, options);
}

function writeImage(message: Message, writer: Writer, { vision }: PromptOptions): void {
  const picture = toPicture(message, vision);
  if ("note" in picture) writer.user({ type: "text", text: picture.note });
  else {
    if (picture.caption) writer.user({ type: "text", text: picture.caption });
    writer.user(picture.part);
  }
}

/** Every call has its result right behind it, whatever the conversation lacks. */
function writeCalls(steps: readonly Step[], writer: Writer, options: PromptOptions): void {
  const results: Extract<LanguageModelV4Message, { role: "tool" }>["content"] = [];
  for (const { code, results: found } of steps) {
    const toolCallId = writer.nextCallId(code.id);
    const remembered = code.id === undefined ? undefined : options.recall(code.id);
    writer.assistant({
      type: "tool-call",
      toolCallId,
      toolName: "execute",
      input: { language: code.format ?? "python", code: code.content },
      ...(remembered ? { providerOptions: remembered } : {}),
    });
    const notes = options.vision ? [] : found.filter(isImage).map((image) => toPicture(image, false));
    const value = [resultText(found, code), ...notes.map((picture) => ("note" in picture ? picture.note : ""))].join(
      "\n",
    );
    results.push({ type: "tool-result", toolCallId, toolName: "execute", output: { type: "text", value } });
  }
  writer.prompt.push({ role: "tool", content: results });
  if (options.vision)
    for (const step of steps) for (const image of step.results.filter(isImage)) writeImage(image, writer, options);
}

function writeFences(steps: readonly Step[], writer: Writer, options: PromptOptions): void {
  for (const { code } of steps) writer.assistant({ type: "text", text: fenced(code.content, code.format ?? "python") });
  for (const { code, results } of steps) {
    const empty = options.emptyCodeOutputTemplate ?? emptyCodeOutput;
    const template = options.codeOutputTemplate ?? codeOutput;
    const text = isSilent(results) ? empty : template.replaceAll("{content}", () => resultText(results, code));
    writer.user({ type: "text", text: text.trim() });
    for (const image of results.filter(isImage)) writeImage(image, writer, options);
  }
}
