// A model behind an endpoint: asks, reads the reply in its dialect, tries again where that is right, and tells all of
// it as events. Nothing here throws.

import type { SharedV4ProviderMetadata, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { attempt } from "./attempt.ts";
import type { Endpoint } from "./endpoint.ts";
import { type ChosenFacts, findFacts } from "./facts.ts";
import { judgeFailure, type Verdict } from "./failure.ts";
import { loadProvider, type Speaker } from "./providers/load.ts";
import { nextDelay, wait } from "./retry.ts";
import type { Dialect, Model, ModelEvent, ModelFacts, ModelRequest } from "./types.ts";

export interface ModelSettings extends ChosenFacts {
  dialect: Dialect;
  vision: boolean;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  maxRetries: number;
  codeOutputTemplate?: string | undefined;
  emptyCodeOutputTemplate?: string | undefined;
}

export class EndpointModel implements Model {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly settings: ModelSettings;
  #dialect: Dialect;
  #loaded: Promise<Speaker> | undefined;
  #facts: Promise<ModelFacts> | undefined;
  #memory = new Map<string, SharedV4ProviderOptions>();

  constructor(endpoint: Endpoint, settings: ModelSettings) {
    this.id = endpoint.id;
    this.endpoint = endpoint;
    this.settings = settings;
    this.#dialect = settings.dialect;
  }

  /** Becomes `markdown` for good when the server turns out to have no tools. */
  get dialect(): Dialect {
    return this.#dialect;
  }

  load(): Promise<Speaker> {
    this.#loaded ??= loadProvider(this.endpoint);
    return this.#loaded;
  }

  facts(): Promise<ModelFacts> {
    this.#facts ??= findFacts(this.settings);
    return this.#facts;
  }

  /** Gemini refuses a call of its own that comes back without its signature. */
  remember(id: string, metadata: SharedV4ProviderMetadata): void {
    const signed = Object.values(metadata).some((entry) => entry.thoughtSignature !== undefined);
    if (signed) this.#memory.set(id, metadata);
  }

  recall(id: string): SharedV4ProviderOptions | undefined {
    return this.#memory.get(id);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
    const { maxRetries } = this.settings;
    for (let count = 1; ; count++) {
      if (request.signal.aborted) return yield { type: "finish", reason: "aborted" };
      const verdict = yield* this.#ask(request);
      if (!verdict) return;
      const fallback = verdict.noTools === true && this.#dialect === "tool";
      const delay = fallback ? 0 : nextDelay(verdict, count, maxRetries);
      if (delay === undefined) return yield { type: "failure", failure: verdict.failure };
      if (fallback) this.#dialect = "markdown";
      yield { type: "retry", attempt: count, delay, failure: verdict.failure };
      if (!(await wait(delay, request.signal))) return yield { type: "finish", reason: "aborted" };
    }
  }

  /** One request. Returns nothing when the story is told, or why it must be told again. */
  async *#ask(request: ModelRequest): AsyncGenerator<ModelEvent, Verdict | undefined, undefined> {
    try {
      return yield* attempt(this, request);
    } catch (error) {
      return { ...judgeFailure(error, this.endpoint), again: false };
    }
  }
}
