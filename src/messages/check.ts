// Checks that a value from outside (a file, a client) is a message, and says what is wrong when it is not.

import { isStoredType } from "./fold.ts";
import type { Message } from "./types.ts";

const formats: Record<string, readonly string[]> = {
  console: ["output"],
  image: ["base64", "base64.png", "base64.jpeg", "path", "description"],
  file: ["path"],
  audio: ["wav"],
};

/** Undefined when the value is a message; otherwise one sentence saying why not. */
export function checkMessage(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "a message is an object";
  const { role, type, format, content, recipient, provider } = value as Record<string, unknown>;
  if (!["user", "assistant", "computer"].includes(role as string)) {
    return `role must be user, assistant or computer, not ${JSON.stringify(role)}`;
  }
  if (typeof type !== "string" || !isStoredType(type)) return `unknown type ${JSON.stringify(type)}`;
  if (typeof content !== "string") return "content must be text";
  if (recipient !== undefined && recipient !== "user" && recipient !== "assistant") {
    return `recipient must be user or assistant, not ${JSON.stringify(recipient)}`;
  }
  if (provider !== undefined && !isFromProvider(provider)) return "provider must be what came with the message";
  if (type === "code" && typeof format !== "string") return "code needs its language as format";
  const allowed = formats[type];
  if (allowed && !allowed.includes(format as string)) {
    return `format of ${type} must be ${allowed.join(", ")}, not ${JSON.stringify(format)}`;
  }
  return undefined;
}

function isFromProvider(value: unknown): boolean {
  const { wire, model, data } = Object(value) as Record<string, unknown>;
  return typeof wire === "string" && typeof model === "string" && typeof data === "object" && data !== null;
}

/** The same for a list; the sentence names the place. */
export function checkMessages(value: unknown): asserts value is Message[] {
  if (!Array.isArray(value)) throw new TypeError("Messages must be a list.");
  for (const [index, item] of value.entries()) {
    const problem = checkMessage(item);
    if (problem) throw new TypeError(`Message ${index + 1} is not valid: ${problem}.`);
  }
}
