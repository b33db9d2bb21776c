// A prompt as chat completions want it.

import type { LanguageModelV4FilePart, LanguageModelV4Prompt, LanguageModelV4TextPart } from "@ai-sdk/provider";
import { thoughtFields } from "./reasoning.ts";

type Message = LanguageModelV4Prompt[number];

export const toChatMessages = (prompt: LanguageModelV4Prompt): Record<string, unknown>[] => prompt.flatMap(toMessages);

function toMessages(message: Message): Record<string, unknown>[] {
  if (message.role === "system") return [{ role: "system", content: message.content }];
  if (message.role === "tool") return message.content.flatMap(toResult);
  if (message.role === "user") {
    const [first] = message.content;
    const plain = message.content.length === 1 && first?.type === "text";
    return [{ role: "user", content: plain ? first.text : message.content.map(toPart) }];
  }
  const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = message.content.filter((part) => part.type === "tool-call");
  const thoughts = thoughtFields(message.content);
  if (calls.length === 0) return [{ role: "assistant", content: text, ...thoughts }];
  return [{ role: "assistant", content: text || null, ...thoughts, tool_calls: calls.map(toCall) }];
}

function toResult(part: Extract<Message, { role: "tool" }>["content"][number]): Record<string, unknown>[] {
  if (part.type !== "tool-result") return [];
  return [{ role: "tool", tool_call_id: part.toolCallId, content: "value" in part.output ? part.output.value : "" }];
}

type AssistantContent = Extract<Message, { role: "assistant" }>["content"];
type CallPart = Extract<AssistantContent[number], { type: "tool-call" }>;

function toCall({ toolCallId, toolName, input, providerOptions }: CallPart): Record<string, unknown> {
  const signature = providerOptions?.google?.thoughtSignature;
  return {
    id: toolCallId,
    type: "function",
    function: { name: toolName, arguments: JSON.stringify(input) },
    ...(signature ? { extra_content: { google: { thought_signature: signature } } } : {}),
  };
}

function toPart(part: LanguageModelV4TextPart | LanguageModelV4FilePart): Record<string, unknown> {
  if (part.type === "text") return { type: "text", text: part.text };
  const data = part.data.type === "data" ? part.data.data : "";
  const url = `data:${part.mediaType};base64,${typeof data === "string" ? data : Buffer.from(data).toString("base64")}`;
  return { type: "image_url", image_url: { url } };
}
