// Loop mode: a model that stops without saying why is told to go on, until it says that it is done, cannot or must ask.

import type { Chunk, Message } from "../messages/index.ts";
import instructions from "./loop-instructions.md";
import message from "./loop-message.md";
import { notice } from "./notice.ts";

export interface LoopMode {
  /** What the model is told when it stopped without saying so. */
  message?: string | undefined;
  /** What it says to stop. */
  breakers?: readonly string[] | undefined;
}

export interface LoopKeeper {
  /** What the model reads: the conversation, and the loop message when it has just stopped without a breaker. */
  prompt(messages: readonly Message[]): readonly Message[];
  /** The reply had code in it. */
  worked(): void;
  /** The reply had only words: how the turn ends with them, if it does. */
  spoke(messages: readonly Message[]): Generator<Chunk, "done" | "limit" | undefined>;
}

const ownBreakers = ["Task finished.", "Task impossible.", "I need an answer to go on.", "Your turn."];
/** Profiles written for the original tell a model to say these. */
const originalBreakers = [
  "The task is done.",
  "The task is impossible.",
  "Let me know what you'd like to do next.",
  "Please provide more information.",
];

/** After so many replies in a row without any code, nothing more will come of it. */
const mostIdleReplies = 5;

export function createLoopKeeper(mode: LoopMode | undefined): LoopKeeper {
  const isEnd = createBreakerFinder(mode?.breakers ?? [...ownBreakers, ...originalBreakers]);
  let idle = 0;
  return {
    prompt(messages) {
      // Somebody else may have had the word since; and what was told once is not kept.
      if (!mode || idle === 0 || messages.at(-1)?.role !== "assistant") return messages;
      return [...messages, { role: "user", type: "message", content: loopMessage(mode), recipient: "assistant" }];
    },
    worked() {
      idle = 0;
    },
    *spoke(messages) {
      if (!mode || isEnd(lastWords(messages))) return "done";
      if (++idle < mostIdleReplies) return undefined;
      yield notice(
        "loop",
        `Stopped: ${mostIdleReplies} replies in a row had no code and did not say that the task is over.`,
        "Say what to do next, or give the phrases it ends with: --loop_breakers.",
      );
      return "limit";
    },
  };
}

/** What the system message says about it. */
export const loopInstructions = (mode: LoopMode): string => withBreakers(instructions, mode);

const loopMessage = (mode: LoopMode): string => withBreakers(mode.message ?? message, mode);

const withBreakers = (text: string, { breakers = ownBreakers }: LoopMode): string =>
  text.replaceAll("{breakers}", () => breakers.join("\n")).trim();

/** Everything the model said since anybody else had the word. */
function lastWords(messages: readonly Message[]): string {
  const before = messages.findLastIndex(({ role, type }) => role !== "assistant" || type === "code");
  const said = messages.slice(before + 1).filter(({ type }) => type === "message");
  return said.map(({ content }) => content).join("\n");
}

/** A breaker counts as it is written, anywhere; or as a sentence of its own in any case and with any punctuation. */
function createBreakerFinder(breakers: readonly string[]): (text: string) => boolean {
  const sentences = breakers.map(plain).filter((sentence) => sentence !== "");
  return (text) => {
    if (breakers.some((breaker) => text.includes(breaker))) return true;
    const said = text.split(/[.!?…:;,\n]+/).map(plain);
    return sentences.some((sentence) => said.includes(sentence));
  };
}

const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’‘]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
