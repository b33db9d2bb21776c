// A model that cannot be used as it was named: a wrong name, or a key that is missing.

import { InputProblem } from "../settings/index.ts";
import type { Provider } from "./catalogue/index.ts";

export class ModelNameError extends InputProblem {
  override name = "ModelNameError";
}

/** The environment has no key for a provider: it may be kept elsewhere, or a person may be asked for it. */
export class MissingKeyError extends ModelNameError {
  override name = "MissingKeyError";
  readonly provider: Provider;

  constructor(provider: Provider, message: string, hint: string) {
    super(message, hint);
    this.provider = provider;
  }
}
