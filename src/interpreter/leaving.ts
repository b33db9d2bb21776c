// What leaves this machine with the conversations of an interpreter: what must not is kept back, what does is recorded.

import type { Model } from "../models/index.ts";
import { NeverSend, type Outbox, Secrets, type Sent } from "../privacy/index.ts";
import { createGuard } from "./guarded-model.ts";
import type { InterpreterOptions } from "./options.ts";

export class Leaving implements Outbox {
  readonly secrets: Secrets;
  readonly neverSend: NeverSend;
  /** Makes of a model one that is told nothing it must not know. */
  readonly guard: (model: Model) => Model;
  readonly #outbox: () => Outbox | undefined;

  /** `outbox` is that of the conversation that is held, if it is kept. */
  constructor(options: InterpreterOptions, cwd: string, outbox: () => Outbox | undefined) {
    const { env = process.env, apiKey } = options;
    this.secrets = new Secrets({ env, cwd, active: () => options.maskSecrets !== false });
    if (apiKey) this.secrets.know("api_key", apiKey);
    this.neverSend = new NeverSend(() => options.neverSend ?? [], cwd);
    this.guard = createGuard(this);
    this.#outbox = outbox;
  }

  sending(...outgoing: Parameters<Outbox["sending"]>): Sent {
    return this.#outbox()?.sending(...outgoing) ?? unrecorded;
  }
}

/** A conversation that is not kept leaves no record. */
const unrecorded: Sent = { answered() {}, received() {}, end() {} };
