// Puts together what belongs together in a conversation: each block with its output, in the order a model should read.

import type { Message } from "../../messages/index.ts";

export type Entry =
  | { type: "user-text"; text: string }
  | { type: "user-image"; message: Message }
  /** What the model wrote in one go, in its order; it had not seen what came of the blocks in it. */
  | { type: "reply"; parts: ReplyPart[] };

export type ReplyPart =
  | { type: "text"; message: Message }
  | { type: "thinking"; message: Message }
  | ({ type: "step" } & Step);

export interface Step {
  code: Message;
  results: Message[];
}

/** What the model may see of the conversation. */
const isVisible = (message: Message): boolean => message.recipient !== "user" && message.role !== "server";

export function toEntries(messages: readonly Message[]): Entry[] {
  const visible = messages.filter(isVisible);
  const results = findResults(visible);
  const owned = new Set([...results.values()].flat());
  const entries: Entry[] = [];
  let open: ReplyPart[] | undefined;
  let answered = false;

  const write = (part: ReplyPart, goesOn: boolean): void => {
    if (open && (goesOn || !open.some(({ type }) => type === "step"))) open.push(part);
    else {
      open = [part];
      entries.push({ type: "reply", parts: open });
    }
    answered = false;
  };

  for (const message of visible) {
    if (message.role === "computer") {
      if (owned.has(message)) answered = true;
      else {
        entries.push(...orphan(message));
        open = undefined;
      }
    } else if (message.role === "user") {
      const isCode = message.type === "code";
      entries.push(...(isCode ? ranByUser({ code: message, results: results.get(message)! }) : fromUser(message)));
      open = undefined;
    } else if (message.type === "code") {
      const step = { type: "step", code: message, results: results.get(message)! } as const;
      // A block right behind another, before that one has any output, was asked for together with it.
      write(step, message.sameReply === true || !answered);
    } else if (message.type === "reasoning") write({ type: "thinking", message }, message.sameReply === true);
    else if (message.content.trim()) write({ type: "text", message }, message.sameReply === true);
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
    } else if (message.type !== "reasoning") last = undefined;
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
