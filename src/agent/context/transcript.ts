// A conversation as plain text, for a model that is to write its summary.

import type { Message } from "../../messages/index.ts";
import { bounded } from "./shorten.ts";

/** In at most `limit` characters: the longer it is, the less is left of each message, and at last the middle goes. */
export function transcribe(messages: readonly Message[], limit: number): string {
  for (const share of [2_000, 600, 200]) {
    const text = messages
      .map((message) => lineOf(message, share))
      .filter(Boolean)
      .join("\n\n");
    if (text.length <= limit) return text;
    if (share === 200) return bounded(text, Math.max(500, limit - 200));
  }
  return "";
}

function lineOf({ role, type, format, content, status, recipient }: Message, share: number): string {
  if (recipient === "user" || type === "reasoning") return "";
  if (type === "image" && format !== "description") return `${role.toUpperCase()} showed an image`;
  const text = bounded(content.trim(), role === "computer" ? share / 2 : share);
  if (type === "code") return `${role === "user" ? "USER RAN" : "CODE"} (${format}):\n${text}`;
  if (type === "console") return `OUTPUT${status && status !== "ok" ? ` (${status})` : ""}:\n${text || "(none)"}`;
  return `${role.toUpperCase()}: ${text}`;
}
