// Where the turns of a conversation begin: with what a person says, and with the pictures and files that go along.

import type { Message } from "../messages/index.ts";

/** The place of the first message of each turn. */
export function turnStarts(messages: readonly Message[]): number[] {
  return messages.flatMap((message, index) => {
    if (!beginsTurn(message)) return [];
    let first = index;
    while (first > 0 && isAttached(messages[first - 1]!)) first--;
    return [first];
  });
}

/** What the person said to begin it: the words, apart from what went along with them. */
export const beginsTurn = ({ role, type, recipient, steering }: Message): boolean =>
  role === "user" && type === "message" && recipient !== "assistant" && !steering;

const isAttached = ({ role, type }: Message): boolean =>
  role === "user" && (type === "image" || type === "file" || type === "audio");
