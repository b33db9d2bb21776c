// The blocks of a conversation that were run, with the place of each: what its sessions went through.

import type { Message } from "../../messages/index.ts";

export interface RanBlock {
  /** As the message names it. */
  language: string;
  code: string;
  /** The place of its message in the conversation. */
  at: number;
}

/** Those that began to run, oldest first; `nameOf` gives a language's own name for the one a message has. */
export function blocksRun(messages: readonly Message[], nameOf: (format: string) => string): RanBlock[] {
  const ran = new Set(
    messages.flatMap(({ role, type, id, status, incomplete }) =>
      role === "computer" && type === "console" && id && (status ? !isIdle(status) : incomplete) ? [id] : [],
    ),
  );
  return messages.flatMap(({ role, type, id, format, content }, at) =>
    type === "code" && role !== "computer" && id && ran.has(id)
      ? [{ language: nameOf(format ?? ""), code: content, at }]
      : [],
  );
}

const isIdle = (status: string): boolean => status === "refused" || status === "not-run";

/** How many messages there were when the last block had ended. */
export function afterLastStep(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role, type, status }) => role === "computer" && type === "console" && status) + 1;
}
