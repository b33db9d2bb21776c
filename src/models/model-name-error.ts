// A model that cannot be used as it was named: a wrong name, or a key that is missing.

import { InputProblem } from "../settings/index.ts";

export class ModelNameError extends InputProblem {
  override name = "ModelNameError";
}
