// The part of node-llama-cpp that we use. The package is no dependency: it is installed when somebody wants it, so its
// shape is written down here.

/** A number that stands for a piece of text. */
export type Token = number;

export interface Llama {
  readonly cpuMathCores: number;
  loadModel(options: { modelPath: string; loadSignal?: AbortSignal }): Promise<LlamaModel>;
  dispose(): Promise<void>;
}

export interface LlamaModel {
  readonly tokenizer: unknown;
  detokenize(tokens: readonly Token[], specialTokens?: boolean, lastTokens?: readonly Token[]): string;
  createContext(options: { contextSize: number; threads?: number }): Promise<LlamaContext>;
  dispose(): Promise<void>;
}

export interface LlamaContext {
  readonly contextSize: number;
  getSequence(): LlamaSequence;
}

export interface LlamaSequence {
  /** How many tokens have been read and are kept. */
  readonly nextTokenIndex: number;
  /** Keeps what the tokens begin with and forgets the rest. */
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>;
  /** Reads the tokens, then writes one after another until the model ends its reply. */
  evaluate(tokens: readonly Token[], options: Sampling): AsyncGenerator<Token>;
}

export interface Sampling {
  temperature: number;
  minP?: number;
}

/** Text with the marks between messages kept apart, so that no message can pretend to be a mark. */
export interface LlamaText {
  readonly values: readonly unknown[];
  tokenize(tokenizer: unknown): Token[];
}

export type HistoryItem =
  | { type: "system"; text: string }
  | { type: "user"; text: string }
  | { type: "model"; response: string[] };

/** The model's own template for conversations. */
export interface ChatWrapper {
  generateContextState(options: { chatHistory: readonly HistoryItem[] }): {
    contextText: LlamaText;
    stopGenerationTriggers: readonly LlamaText[];
  };
}

export interface NodeLlamaCpp {
  getLlama(options: {
    build: "never";
    gpu: "auto";
    skipDownload: boolean;
    progressLogs: boolean;
    maxThreads: number;
    logger: (level: string, message: string) => void;
  }): Promise<Llama>;
  resolveChatWrapper(model: LlamaModel): ChatWrapper;
}
