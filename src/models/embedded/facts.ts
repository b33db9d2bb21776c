// What a file of weights says of the model in it. Never throws: what cannot be read says nothing.

import type { ModelFacts } from "../types.ts";
import { checkWeights, contextFor, memoryHere } from "./weights.ts";

export function embeddedFacts(path: string, wanted: number | undefined): ModelFacts {
  const facts = { vision: false, tools: false };
  try {
    return { ...facts, contextWindow: contextFor(checkWeights(path), wanted, memoryHere()) };
  } catch {
    return facts;
  }
}
