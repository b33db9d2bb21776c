// A file of weights: whether it can be used on this machine, and for how long a conversation.

import { totalmem } from "node:os";
import { basename } from "node:path";
import { bytesIn } from "../bytes.ts";
import { type Gguf, GgufError, readGguf } from "./gguf.ts";
import { EmbeddedProblem } from "./problem.ts";

/** What a person can run at once without it being slow, unless they ask for more. */
const usualContext = 8_192;
const leastContext = 1_024;

/** Memory there is for everything, where this process may be allowed less than the machine has. */
export function memoryHere(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

/** Tokens the conversation may have: what the model was trained for, as far as memory allows or the person asks. */
export function contextFor(gguf: Gguf, wanted: number | undefined, memory: number): number {
  const most = gguf.contextLength ?? usualContext;
  if (wanted !== undefined) return Math.min(wanted, most);
  let context = Math.min(usualContext, most);
  while (context > leastContext && context * gguf.bytesPerToken > (memory - gguf.bytes) / 2)
    context = Math.floor(context / 2);
  return context;
}

/** The head of a file of weights. Throws EmbeddedProblem when it cannot be used here. */
export function checkWeights(path: string, memory = memoryHere()): Gguf {
  let gguf: Gguf;
  try {
    gguf = readGguf(path);
  } catch (error) {
    throw explain(path, error);
  }
  if (gguf.bytes + leastContext * gguf.bytesPerToken > memory)
    throw new EmbeddedProblem(
      "bad-request",
      `${basename(path)} is too big for this machine: ${bytesIn(gguf.bytes)} of weights, ${bytesIn(memory)} of memory.`,
      "Choose a smaller model, or one with stronger quantization.",
    );
  return gguf;
}

function explain(path: string, error: unknown): EmbeddedProblem {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new EmbeddedProblem("not-found", `There is no file ${path}.`, "Check the path that --model names.");
  if (error instanceof GgufError && error.why === "not-gguf")
    return new EmbeddedProblem(
      "bad-request",
      `${path} is not a GGUF file.`,
      "Only weights in the GGUF format can be run without a server.",
    );
  if (error instanceof GgufError) return damaged(path);
  return new EmbeddedProblem(
    "bad-request",
    `${path} cannot be read: ${message}.`,
    "Check the file and its permissions.",
  );
}

export const damaged = (path: string): EmbeddedProblem =>
  new EmbeddedProblem(
    "bad-request",
    `${path} is damaged or incomplete, or of a kind that this engine does not know.`,
    "Fetch the file again, or choose another model.",
  );
