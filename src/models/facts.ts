// What is known of a model before it is asked: what the person said goes before what the catalogue says.

import type { ModelFacts } from "./types.ts";

/** What the person says of a model, whatever is known of it otherwise. */
export interface ChosenFacts {
  contextWindow?: number | undefined;
}

export async function findFacts({ contextWindow }: ChosenFacts): Promise<ModelFacts> {
  return contextWindow === undefined ? {} : { contextWindow };
}
