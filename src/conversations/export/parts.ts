// What of a conversation is part of an export, put together: words, attachments, and each block with what came of it.

import type { Message, StepStatus } from "../../messages/index.ts";

export interface BlockPart {
  kind: "block";
  code: Message;
  /** What the computer showed for it, in order. */
  results: Message[];
}

export type Part =
  | BlockPart
  /** Words, a picture, a file: of the person or of the model. */
  | { kind: "said"; message: Message }
  /** Something the computer showed that belongs to no block. */
  | { kind: "shown"; message: Message };

export interface PartOptions {
  /** The model's thinking is left out unless it is asked for. */
  reasoning?: boolean;
}

/** Notes to the model and summaries for it are not part of an export. */
export function partsOf(messages: readonly Message[], { reasoning = false }: PartOptions = {}): Part[] {
  const parts: Part[] = [];
  const byId = new Map<string, BlockPart>();
  let last: BlockPart | undefined;
  for (const message of messages) {
    const { role, type, id } = message;
    if (message.recipient === "assistant" || (role as string) === "server") continue;
    if (type === "reasoning" && !reasoning) continue;
    if (role === "computer") {
      const owner = (id !== undefined ? byId.get(id) : undefined) ?? last;
      if (owner) owner.results.push(message);
      else parts.push({ kind: "shown", message });
    } else if (type === "code") {
      last = { kind: "block", code: message, results: [] };
      if (id !== undefined) byId.set(id, last);
      parts.push(last);
    } else if (message.content.trim() !== "") {
      parts.push({ kind: "said", message });
      last = undefined;
    }
  }
  return parts;
}

/** How a block ended; without a word about it, it went well when anything came of it. */
export function statusOf({ code, results }: BlockPart): StepStatus {
  const said = results.findLast(({ status }) => status !== undefined)?.status ?? code.status;
  return said ?? (results.length > 0 ? "ok" : "not-run");
}

/** Whether any of its code was run. */
export const wasRun = (block: BlockPart): boolean => !["refused", "not-run"].includes(statusOf(block));

/** The MIME type of a picture that a message holds, if it holds one. */
export function pictureType({ type, format = "" }: Message): "image/png" | "image/jpeg" | undefined {
  if (type !== "image" || !format.startsWith("base64")) return undefined;
  return format === "base64.jpeg" ? "image/jpeg" : "image/png";
}

/** Duplicate spaces and line ends do not belong into a title. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
