// What conversations are called: the name of the folder, which never changes, and the words that a person knows it by.

import { type Message, newId } from "../messages/index.ts";
import { beginsTurn } from "./turns.ts";

/** The name of a new conversation: when it began, and some letters that no other has. */
export function newName(): string {
  const time = new Date().toISOString().replace(/[-:]/g, "").slice(0, 15);
  return `${time}-${newId(6).toLowerCase()}`;
}

/** What a person knows a conversation by: its title, or how it begins. */
export function nameOf({ title, messages }: { title?: string | undefined; messages: readonly Message[] }): string {
  if (title) return title;
  const first = messages.find(beginsTurn) ?? messages.find(({ role }) => role === "user") ?? messages[0];
  return first && first.type !== "image" ? shortName(first.content) : "";
}

/** How a text begins, in one line. */
export function shortName(text: string): string {
  const line = text.slice(0, 1_000).replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79).trimEnd()}…` : line;
}
