// What can go wrong with a model that runs in this process, as the failure a person reads.

import type { ModelFailure } from "../types.ts";

export class EmbeddedProblem extends Error {
  override name = "EmbeddedProblem";
  readonly failure: ModelFailure;
  /** The request had tools in it: the markdown dialect will work. */
  readonly noTools: boolean;

  constructor(kind: ModelFailure["kind"], message: string, hint: string, { noTools = false } = {}) {
    super(message);
    this.failure = { kind, message, hint };
    this.noTools = noTools;
  }

  get hint(): string {
    return this.failure.hint;
  }
}
