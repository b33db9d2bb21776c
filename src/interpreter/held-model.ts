// The model of an interpreter: opened when it is first asked for, held until another takes its place, closed if we made it.

import { findProvider, isWeightsPath, type Model } from "../models/index.ts";
import type { Leaving } from "./leaving.ts";
import { type OpenModel, openModel } from "./open-model.ts";
import type { InterpreterOptions } from "./options.ts";
import type { Trace } from "./trace.ts";

export class HeldModel {
  /** Its `model`, `apiBase` and `apiKey` say which model is wanted, and change with it. */
  readonly #options: InterpreterOptions;
  readonly #cwd: string;
  readonly #trace: () => Trace | undefined;
  readonly #leaving: Leaving;
  /** The model it was made with, and the address and key that belong to it. */
  readonly #given: Pick<InterpreterOptions, "model" | "apiBase" | "apiKey">;
  #opening: Promise<OpenModel> | undefined;

  constructor(options: InterpreterOptions, cwd: string, trace: () => Trace | undefined, leaving: Leaving) {
    this.#options = options;
    this.#cwd = cwd;
    this.#trace = trace;
    this.#leaving = leaving;
    this.#given = { model: options.model, apiBase: options.apiBase, apiKey: options.apiKey };
  }

  /** Rejects with a plain-words error when there is none. */
  open(): Promise<Model> {
    const { model } = this.#options;
    if (typeof model === "object") return this.#traced(model);
    this.#opening ??= this.#open(model);
    return this.#opening.then((open) => this.#traced(open.model));
  }

  /** Where its key was found, when it had to be looked for outside of flags and environment. */
  async keyFrom(): Promise<OpenModel["keyFrom"]> {
    return (await this.#opening)?.keyFrom;
  }

  /** Another model from the next request on. */
  set(model: string | Model): void {
    // The address and key that were given belong to the model they were given for. Behind an address, a name that says no
    // provider means another model of the same server.
    if (model === this.#given.model) Object.assign(this.#options, this.#given);
    else if (
      typeof model === "string" &&
      (!this.#options.apiBase || isWeightsPath(model) || findProvider(model.split("/")[0]!))
    ) {
      this.#options.apiBase = undefined;
      this.#options.apiKey = undefined;
    }
    this.#options.model = model;
    void this.close();
  }

  /** Another model, if it can be opened; otherwise all stays as it was, and the problem is told. */
  async change(model: string | Model): Promise<Model> {
    const { model: before, apiBase, apiKey } = this.#options;
    this.set(model);
    try {
      return await this.open();
    } catch (error) {
      Object.assign(this.#options, { model: before, apiBase, apiKey });
      void this.close();
      throw error;
    }
  }

  /** A model that we made may hold memory; one that was given to us is not ours to close. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const open = await opening?.catch(() => undefined);
    await open?.model.close?.();
  }

  #open(model: string | undefined): Promise<OpenModel> {
    const { llmSupportsFunctions, llmSupportsVision, env = process.env, ...rest } = this.#options;
    return openModel({
      ...rest,
      env,
      cwd: this.#cwd,
      model,
      outbox: this.#leaving,
      onKey: (owner, key) => this.#leaving.secrets.know(`${owner} key`, key),
      ...(llmSupportsFunctions !== undefined && { dialect: llmSupportsFunctions ? "tool" : "markdown" }),
      ...(llmSupportsVision !== undefined && { vision: llmSupportsVision }),
    });
  }

  async #traced(model: Model): Promise<Model> {
    const guarded = this.#leaving.guard(model);
    const trace = this.#trace();
    return trace ? (await import("./trace.ts")).tracedModel(guarded, trace) : guarded;
  }
}
