// Code that runs apart from the model: what a person types, and what a program asks for.

import { type AutoRun, runKeptStep, type Transaction } from "../agent/index.ts";
import type { Sessions } from "../languages/index.ts";
import type { Chunk, Message } from "../messages/index.ts";
import type { Mask } from "../privacy/index.ts";
import { defaults } from "../settings/index.ts";
import type { InterpreterOptions, RunOptions } from "./options.ts";

export interface Computer {
  /** Runs code in its live session and returns its output as messages. Not part of the conversation. */
  run(language: string, code: string, options?: RunOptions & { stream?: false }): Promise<Message[]>;
  run(language: string, code: string, options: RunOptions & { stream: true }): AsyncGenerator<Chunk>;
}

export interface Code {
  /** The name of its language, or another one that people use for it. */
  language: string;
  code: string;
  id: string;
}

export interface CodeRequest extends Code {
  sessions: Sessions;
  options: InterpreterOptions;
  /** Where the whole of its output goes, when that is long. */
  outputFile: string;
  /** What must not be written there. */
  mask: Mask;
  transaction: Transaction | undefined;
  signal: AbortSignal | undefined;
}

/** Whoever asked for it has decided. */
const unasked: AutoRun = { value: true, kinds: new Set(), effects: false };

export async function* runCode({
  language: name,
  options,
  signal,
  transaction,
  ...step
}: CodeRequest): AsyncGenerator<Chunk> {
  const language = step.sessions.find(name);
  if (!language) {
    const known = step.sessions.languages.map((each) => each.name).join(", ");
    throw new TypeError(`There is no language ${JSON.stringify(name)}. There are: ${known}.`);
  }
  const { maxOutput = defaults.maxOutput, timeLimit, ask = async () => null } = options;
  yield* runKeptStep({
    ...step,
    ...(transaction && { transaction }),
    autoRun: unasked,
    steering: [],
    language,
    maxOutput,
    ...(timeLimit !== undefined && { timeLimit }),
    ask,
    signal: signal ?? new AbortController().signal,
  });
}

/** A block as the person typed it, and then what comes of it. */
export async function* typed({ language, code, id }: Code, run: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  const header = { role: "user", type: "code", format: language } as const;
  yield { ...header, start: true, id };
  yield { ...header, content: code };
  yield { ...header, end: true };
  yield* run;
}
