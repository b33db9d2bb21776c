// A model behind an endpoint: asks, reads the reply in its dialect, tries again where that is right, and tells all of
// it as events. Nothing here throws.

import { attempt } from "./attempt.ts";
import { type Environment, findListed } from "./catalogue/index.ts";
import type { Effort } from "./effort.ts";
import type { Endpoint } from "./endpoint.ts";
import { type ChosenFacts, catalogueFacts, findFacts } from "./facts.ts";
import { judgeFailure, type Verdict } from "./failure.ts";
import { createMisreadCalls } from "./misread-calls.ts";
import type { Templates } from "./prompt/templates.ts";
import { type LoadSettings, loadProvider, type Speaker } from "./providers/load.ts";
import { withoutEffort } from "./refused-thinking.ts";
import { nextDelay, wait } from "./retry.ts";
import type { Dialect, Model, ModelEvent, ModelFacts, ModelRequest, Prices } from "./types.ts";

export interface ModelSettings extends ChosenFacts, Templates, LoadSettings {
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  reasoningEffort?: Effort | undefined;
  maxRetries: number;
}

export class EndpointModel implements Model {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly settings: ModelSettings;
  readonly #env: Environment;
  #dialect: Dialect;
  readonly #without = new Set<"effort" | "thoughts" | "format">();
  readonly #misread = createMisreadCalls();
  #loaded: Promise<Speaker> | undefined;
  #facts: Promise<ModelFacts> | undefined;

  constructor(endpoint: Endpoint, settings: ModelSettings, env: Environment) {
    this.id = endpoint.id;
    this.endpoint = endpoint;
    this.settings = settings;
    this.#env = env;
    this.#dialect = settings.dialect ?? (hasNoTools(endpoint, env) ? "markdown" : "tool");
  }

  /** Becomes `markdown` for good when the server turns out to have no tools, or the model not to know how to use them. */
  get dialect(): Dialect {
    return this.#dialect;
  }

  /** Whether it is told this about thinking, or about the form of its answer; false for good once the server has refused it. */
  takes(what: "effort" | "thoughts" | "format"): boolean {
    return !this.#without.has(what);
  }

  load(): Promise<Speaker> {
    this.#loaded ??= loadProvider(this.endpoint, this.settings);
    return this.#loaded;
  }

  async close(): Promise<void> {
    const speaker = await this.#loaded?.catch(() => undefined);
    await speaker?.close?.();
  }

  facts(): Promise<ModelFacts> {
    this.#facts ??= findFacts(this.endpoint, this.settings, this.#env);
    return this.#facts;
  }

  /** Whether it can be shown an image. */
  async sees(): Promise<boolean> {
    const { vision } = this.settings.vision === undefined ? await this.facts() : this.settings;
    return vision ?? /^(openai-(chat|responses)|anthropic|google|azure|vertex)/.test(this.endpoint.wire);
  }

  /** What it costs, as far as that is known without asking. */
  async prices(): Promise<Prices | undefined> {
    return this.endpoint.provider && (await catalogueFacts(this.endpoint, this.#env)).prices;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
    const { maxRetries } = this.settings;
    if (this.#misread.count > 1 && this.#dialect === "tool" && this.settings.dialect === undefined) {
      this.#dialect = "markdown";
      const text = `The tool calls of ${this.endpoint.name} could not be read, twice: code is asked for in markdown now.`;
      yield { type: "notice", text };
    }
    for (let count = 1; ; count++) {
      if (request.signal.aborted) return yield { type: "finish", reason: "aborted" };
      const verdict = yield* this.#ask(request);
      if (!verdict) return;
      const change = this.#changeFor(verdict, request);
      const delay = change ? 0 : nextDelay(verdict, count, maxRetries);
      if (delay === undefined) return yield { type: "failure", failure: verdict.failure };
      change?.();
      const failure =
        change && verdict.refuses === "effort" ? withoutEffort(this.endpoint, verdict.failure) : verdict.failure;
      yield { type: "retry", attempt: count, delay, failure };
      if (!(await wait(delay, request.signal))) return yield { type: "finish", reason: "aborted" };
    }
  }

  /** What is done differently in the next attempt, and from then on, when that may help. */
  #changeFor({ noTools, refuses, failure }: Verdict, { answer }: ModelRequest): (() => void) | undefined {
    if (noTools && this.#dialect === "tool")
      return () => {
        this.#dialect = "markdown";
      };
    const without = refuses && this.#without.has(refuses) ? undefined : refuses;
    const said = without === "effort" ? this.settings.reasoningEffort !== undefined : without === "thoughts";
    if (without && said) return () => void this.#without.add(without);
    const held = typeof answer === "object" && this.takes("format");
    return held && failure.kind === "bad-request" ? () => void this.#without.add("format") : undefined;
  }

  /** One request. Returns nothing when the story is told, or why it must be told again. */
  async *#ask(request: ModelRequest): AsyncGenerator<ModelEvent, Verdict | undefined, undefined> {
    const story = attempt(this, request);
    try {
      for (;;) {
        const { done, value } = await story.next();
        if (done) return value;
        this.#misread.see(value);
        yield value;
      }
    } catch (error) {
      return { ...judgeFailure(error, this.endpoint), again: false };
    } finally {
      await story.return(undefined);
    }
  }
}

/** Models of the big makers all have tools, and a server of one's own says so itself: nothing is read for them. */
function hasNoTools({ provider, name, wire }: Endpoint, env: Environment): boolean {
  const known = /^(openai-(chat|responses)|anthropic|google|azure|vertex|bedrock)/.test(wire);
  if (wire === "embedded") return true;
  if (known || !provider || provider.local) return false;
  return findListed(`${provider.modelsOf ?? provider.name}/${name}`, env)?.facts.tools === false;
}
