// What is left of a message when room is needed.

import type { Message } from "../../messages/index.ts";

const ends = 250;

/** The message with less in it, or nothing when it is short already. */
export function shortened(message: Message): Message | undefined {
  if (message.type === "image") {
    if (message.format === "description") return undefined;
    const name = message.format === "path" ? message.content : "an image";
    return { ...message, format: "description", content: `[${name}, left out to save room]\n` };
  }
  const content = bounded(message.content, 2 * ends, message.outputFile);
  return content === message.content ? undefined : { ...message, content };
}

/** The two ends of a text and a note between them; the text itself when that would save little. */
export function bounded(text: string, limit: number, file?: string): string {
  if (text.length <= limit + 100) return text;
  const head = text.slice(0, Math.ceil(limit / 2));
  const tail = text.slice(text.length - Math.floor(limit / 2));
  const where = file ? ` The whole is in ${file}` : "";
  return `${head}\n[… ${text.length - limit} characters left out to save room.${where} …]\n${tail}`;
}

export const isSummary = ({ type, format }: Message): boolean => type === "message" && format === "summary";
