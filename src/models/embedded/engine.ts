// The engine with a model in it: loads weights, reads a conversation, writes the reply token by token. It all runs in
// threads of its own, so the chat goes on meanwhile.

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installHint, isInstalled } from "./install.ts";
import type { HistoryItem, Llama, LlamaModel, NodeLlamaCpp, Sampling, Token } from "./llama.ts";
import { EmbeddedProblem } from "./problem.ts";
import { checkWeights, contextFor, damaged, memoryHere } from "./weights.ts";

export interface EngineChoice {
  path: string;
  /** Tokens; what suits the model and the machine unless told. */
  contextWindow?: number | undefined;
  /** Where the engine is installed. */
  folder: string;
}

export interface Engine {
  readonly contextSize: number;
  /** A conversation as the model reads it, with the place for its reply at the end, and what ends that reply. */
  toTokens(history: readonly HistoryItem[]): { tokens: Token[]; stops: string[] };
  /** Reads a conversation. What it has in common with the one before is kept: says how many tokens that is. */
  read(tokens: readonly Token[], signal: AbortSignal): Promise<number>;
  /** Goes on from the last token of what was read. */
  write(last: Token, sampling: Sampling): AsyncGenerator<Token>;
  toText(tokens: readonly Token[], before: readonly Token[]): string;
  close(): Promise<void>;
}

/** Tokens read between two looks at whether anybody still waits. */
const pieceSize = 256;

/** Rejects with EmbeddedProblem. */
export async function startEngine({ path, contextWindow, folder }: EngineChoice): Promise<Engine> {
  const gguf = checkWeights(path);
  const { getLlama, resolveChatWrapper } = await importEngine(folder);
  const llama = await getLlama({
    build: "never",
    gpu: "auto",
    skipDownload: true,
    progressLogs: false,
    // One core stays free: threads that wait for each other on a busy machine are slower than fewer threads.
    maxThreads: Math.max(1, availableParallelism() - 1),
    logger: () => {},
  }).catch((error) => {
    throw cannotRun(error);
  });
  const model = await load(llama, path);
  try {
    const context = await model.createContext({ contextSize: contextFor(gguf, contextWindow, memoryHere()) });
    const sequence = context.getSequence();
    const wrapper = resolveChatWrapper(model);
    return {
      contextSize: context.contextSize,
      toTokens(history) {
        const chatHistory: HistoryItem[] = [...history, { type: "model", response: [] }];
        const { contextText, stopGenerationTriggers } = wrapper.generateContextState({ chatHistory });
        const stops = stopGenerationTriggers.flatMap(({ values: [only, ...more] }) =>
          typeof only === "string" && more.length === 0 ? [only] : [],
        );
        return { tokens: contextText.tokenize(model.tokenizer), stops };
      },
      async read(tokens, signal) {
        await sequence.adaptStateToTokens(tokens, false);
        const kept = sequence.nextTokenIndex;
        while (sequence.nextTokenIndex < tokens.length && !signal.aborted) {
          const from = sequence.nextTokenIndex;
          await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(from, from + pieceSize));
        }
        return kept;
      },
      write: (last, sampling) => sequence.evaluate([last], sampling),
      toText: (tokens, before) => model.detokenize(tokens, false, before),
      async close() {
        await model.dispose();
        await llama.dispose();
      },
    };
  } catch (error) {
    await model.dispose();
    await llama.dispose();
    throw new EmbeddedProblem(
      "bad-request",
      `There is not enough memory to run ${path}: ${sentence(error)}`,
      "Choose a smaller model, or a smaller --context_window.",
    );
  }
}

async function load(llama: Llama, path: string): Promise<LlamaModel> {
  try {
    return await llama.loadModel({ modelPath: path });
  } catch (error) {
    await llama.dispose();
    if (/memory/i.test((error as Error).message) || (error as Error).name === "InsufficientMemoryError")
      throw new EmbeddedProblem(
        "bad-request",
        `There is not enough memory to load ${path}.`,
        "Close other programs, or choose a smaller model.",
      );
    throw damaged(path);
  }
}

async function importEngine(folder: string): Promise<NodeLlamaCpp> {
  if (!isInstalled(folder))
    throw new EmbeddedProblem(
      "bad-request",
      "What runs models without a server is not installed yet.",
      `${installHint} installs it.`,
    );
  const entry = pathToFileURL(join(folder, "node_modules", "node-llama-cpp", "dist", "index.js")).href;
  try {
    return (await import(/* @vite-ignore */ entry)) as NodeLlamaCpp;
  } catch (error) {
    throw cannotRun(error);
  }
}

const cannotRun = (error: unknown): EmbeddedProblem =>
  new EmbeddedProblem(
    "bad-request",
    `The engine that runs models without a server does not work here: ${sentence(error)}`,
    `${installHint} installs it anew; a model server such as Ollama is another way.`,
  );

function sentence(error: unknown): string {
  const line = String((error as Error)?.message ?? error)
    .split("\n")[0]!
    .slice(0, 200);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
