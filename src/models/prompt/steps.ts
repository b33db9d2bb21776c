// Puts together what belongs together in a conversation: each block with its output, in the order a model should read.

import type { Message } from "../../messages/index.ts";

export type Entry =
  | { type: "user-text"; text: string }
  | { type: "user-image"; message: Message }
  | { type: "assistant-text"; text: string }
  /** Blocks that follow one another without a word between, each with what came of it. */
  | { type: "steps"; steps: Step[] };

export interface Step {
  code: Message;
  results: Message[];
}

/** What the model may see of the conversation. */
const isVisible = (message: Message): boolean =>
  message.recipient !== "user" && message.type !== "reasoning" && message.role !== "server";

export function toEntries(messages: readonly Message[]): Entry[] {
  const visible = messages.filter(isVisible);
  const results = findResults(visible);
  const owned = new Set([...results.values()].flat());
  const entries: Entry[] = [];
  let open: Step[] | undefined;

  for (const message of visible) {
    if (message.type === "code" && message.role !== "computer") {
      const step = { code: message, results: results.get(message) ?? [] };
      if (message.role === "user") entries.push(...ranByUser(step));
      else if (open) open.push(step);
      else {
        open = [step];
        entries.push({ type: "steps", steps: open });
      }
      if (message.role === "user") open = undefined;
      continue;
    }
    open = undefined;
    if (message.role === "computer") {
      if (!owned.has(message)) entries.push(...orphan(message));
    } else if (message.role === "assistant") {
      if (message.content.trim()) entries.push({ type: "assistant-text", text: message.content });
    } else entries.push(...fromUser(message));
  }
  return entries;
}

/** A result belongs to the block with its id, or to the last block before it. */
function findResults(messages: readonly Message[]): Map<Message, Message[]> {
  const results = new Map<Message, Message[]>();
  const byId = new Map<string, Message>();
  let last: Message | undefined;
  for (const message of messages) {
    if (message.type === "code" && message.role !== "computer") {
      last = message;
      results.set(message, []);
      if (message.id !== undefined) byId.set(message.id, message);
    } else if (message.role === "computer") {
      const owner = (message.id !== undefined ? byId.get(message.id) : undefined) ?? last;
      if (owner) results.get(owner)!.push(message);
    } else last = undefined;
  }
  return results;
}

function fromUser(message: Message): Entry[] {
  if (message.type === "image" && message.format !== "description") return [{ type: "user-image", message }];
  if (message.type === "file") return [{ type: "user-text", text: `[attached file: ${message.content}]` }];
  if (message.type === "audio") return [{ type: "user-text", text: "[attached audio, which cannot be read]" }];
  return message.content.trim() ? [{ type: "user-text", text: message.content }] : [];
}

function ranByUser({ code, results }: Step): Entry[] {
  const language = code.format ?? "code";
  const text = `I ran this ${language} code myself:\n\n${fenced(code.content, language)}\n\nIt gave:\n\n${fenced(resultText(results, code), "")}`;
  const images = results.filter(isImage).map((message): Entry => ({ type: "user-image", message }));
  return [{ type: "user-text", text }, ...images];
}

function orphan(message: Message): Entry[] {
  if (isImage(message)) return [{ type: "user-image", message }];
  return message.content.trim() ? [{ type: "user-text", text: `[shown on the computer]\n${message.content}` }] : [];
}

export const isImage = (message: Message): boolean => message.type === "image" && message.format !== "description";

/** Why a step may have nothing to show. */
const silences: Record<string, string> = {
  refused: "The user did not let this code run.",
  interrupted: "The user interrupted this code; it printed nothing.",
  timeout: "This code was stopped because it took too long; it printed nothing.",
  exited: "The session ended with this code; it printed nothing.",
  "not-run": "This code was not run.",
};

/** Everything a step printed, or words for its silence. */
export function resultText(results: readonly Message[], code: Message): string {
  const status = results.findLast((message) => message.status)?.status ?? code.status;
  const text = results.map(partText).join("");
  if (text.trim()) return text;
  if (status && silences[status]) return silences[status];
  if (results.some(isImage)) return "(an image, and no text)";
  return results.length === 0 ? silences["not-run"]! : "(no output)";
}

export const isSilent = (results: readonly Message[]): boolean =>
  results.length > 0 &&
  !results.some((message) => isImage(message) || (message.status && silences[message.status])) &&
  !results.map(partText).join("").trim();

function partText(message: Message): string {
  if (isImage(message)) return "";
  if (message.type === "code") return `[shown to the user as ${message.format ?? "code"}]\n`;
  if (message.type === "file") return `[file: ${message.content}]\n`;
  if (message.type === "audio") return "[audio]\n";
  return message.content;
}

/** A fenced block whose fence is longer than any inside it. */
export function fenced(code: string, label: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${label}\n${code.replace(/\n$/, "")}\n${fence}`;
}
