// Which model to use when the person has not said: the first provider whose key is in the environment.

import { findUsableModels } from "../models/index.ts";
import { InputProblem } from "../settings/index.ts";

export class NoModelProblem extends InputProblem {
  override name = "NoModelProblem";
}

export function chooseModel(env: NodeJS.ProcessEnv, apiBase: string | undefined): string {
  if (apiBase) {
    throw new InputProblem(
      "--api_base was given, but no model.",
      "Name the model that server should use: --model NAME",
    );
  }
  const found = findUsableModels(env).find((usable) => usable.model !== undefined);
  if (found?.model) return found.model;
  throw new NoModelProblem(
    "No model is set up: none was named, and no API key is in the environment.",
    "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or use --model ollama/NAME",
  );
}
