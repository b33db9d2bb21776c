// From the conversation to what a provider is sent. The same messages always give the same bytes, so that providers
// can cache what they have read before.

import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Message } from "../../messages/index.ts";
import { type Author, factsFor, isSealed } from "../thinking.ts";
import type { Dialect } from "../types.ts";
import { cannotSee, type Show } from "./images.ts";
import { fenced, isImage, isSilent, type ReplyPart, resultText, type Step, toEntries } from "./steps.ts";
import { type Templates, tellOutput, tellSilence, withUserTemplate } from "./templates.ts";

export interface PromptOptions extends Templates {
  dialect: Dialect;
  /** How images are shown to it; a model that does not see is told of them. */
  show?: Show | undefined;
  /** Who reads it: its own thinking goes back to it. */
  author: Author;
}

type UserMessage = Extract<LanguageModelV4Message, { role: "user" }>;
type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;

export function toPrompt(system: string, messages: readonly Message[], options: PromptOptions): LanguageModelV4Prompt {
  const writer = createWriter(system);
  const reply = options.dialect === "tool" ? writeCalls : writeFences;
  for (const entry of toEntries(withUserTemplate(messages, options))) {
    if (entry.type === "reply") reply(entry.parts, writer, options);
    else if (entry.type === "user-text") writer.user({ type: "text", text: entry.text });
    else writeImage(entry.message, writer, options);
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
    const plain = part.type === "text" && !part.providerOptions;
    if (plain && before?.type === "text" && !before.providerOptions) before.text += `\n\n${part.text}`;
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

function writeImage(message: Message, writer: Writer, { show = cannotSee }: PromptOptions): void {
  const picture = show(message);
  if ("note" in picture) writer.user({ type: "text", text: picture.note });
  else {
    if (picture.caption) writer.user({ type: "text", text: picture.caption });
    writer.user(picture.part);
  }
}

const isStep = (part: ReplyPart): part is Extract<ReplyPart, { type: "step" }> => part.type === "step";

/** Every call has its thinking before it and its result right behind it, whatever the conversation lacks. */
function writeCalls(parts: readonly ReplyPart[], writer: Writer, options: PromptOptions): void {
  const steps = parts.filter(isStep);
  const results: Extract<LanguageModelV4Message, { role: "tool" }>["content"] = [];
  // Thinking that led to nothing is none: providers refuse it without what should follow.
  const last = parts.findLastIndex(({ type }) => type !== "thinking");
  for (const part of parts.slice(0, last + 1)) {
    if (part.type === "thinking") writeThinking(part.message, steps.length > 0, writer, options);
    else if (part.type === "text")
      writer.assistant({ type: "text", text: part.message.content, ...backTo(part.message, options) });
    else results.push(writeCall(part, writer, options));
  }
  if (results.length === 0) return;
  writer.prompt.push({ role: "tool", content: results });
  if (options.show)
    for (const step of steps) for (const image of step.results.filter(isImage)) writeImage(image, writer, options);
}

function writeThinking(message: Message, calls: boolean, writer: Writer, { author }: PromptOptions): void {
  const facts = factsFor(author, message);
  if (facts && (calls || isSealed(facts)))
    writer.assistant({ type: "reasoning", text: message.content, providerOptions: facts });
}

type Result = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number];

function writeCall({ code, results: found }: Step, writer: Writer, options: PromptOptions): Result {
  const toolCallId = writer.nextCallId(code.id);
  const input = { language: code.format ?? "python", code: code.content };
  writer.assistant({ type: "tool-call", toolCallId, toolName: "execute", input, ...backTo(code, options) });
  const unseen = options.show ? [] : found.filter(isImage).map(cannotSee);
  const value = [resultText(found, code), ...unseen.map((picture) => ("note" in picture ? picture.note : ""))].join(
    "\n",
  );
  return { type: "tool-result", toolCallId, toolName: "execute", output: { type: "text", value } };
}

function backTo(message: Message, { author }: PromptOptions) {
  const facts = factsFor(author, message);
  return facts ? { providerOptions: facts } : {};
}

function writeFences(parts: readonly ReplyPart[], writer: Writer, options: PromptOptions): void {
  for (const part of parts) {
    if (part.type === "text") writer.assistant({ type: "text", text: part.message.content });
    else if (isStep(part))
      writer.assistant({ type: "text", text: fenced(part.code.content, part.code.format ?? "python") });
  }
  for (const { code, results } of parts.filter(isStep)) {
    const output = resultText(results, code);
    if (options.codeOutputSender === "assistant") writer.assistant({ type: "text", text: fenced(output, "output") });
    else writer.user({ type: "text", text: isSilent(results) ? tellSilence(options) : tellOutput(output, options) });
    for (const image of results.filter(isImage)) writeImage(image, writer, options);
  }
}
