// Servers that refuse what they are told about thinking: recognised by what they say, and asked again without it.

import type { Endpoint } from "./endpoint.ts";
import type { ModelFailure } from "./types.ts";

const refusal =
  /unsupported|unknown|unrecogni[sz]ed|unexpected|invalid|extra|additional|not (?:permitted|allowed|supported|a valid)|n['o]t support/i;
const thoughts = /reasoning_(?:content|details)|\bmessages?\b[^ ]*[.\]][^ ]*reasoning/i;
const effort = /reasoning(?:[ _.]?effort)?|thinking(?:[ _.]?(?:config|budget|level))?|enable_thinking/i;

/** Which part of it a refusal is about, if any. */
export function refusedThinking(status: number | undefined, said: string): "effort" | "thoughts" | undefined {
  if ((status !== 400 && status !== 422) || !refusal.test(said) || /signature|encrypted/i.test(said)) return undefined;
  if (thoughts.test(said)) return "thoughts";
  return effort.test(said) ? "effort" : undefined;
}

/** What the person is told when the request is made again without an effort. */
export const withoutEffort = ({ label, name }: Endpoint, failure: ModelFailure): ModelFailure => ({
  ...failure,
  message: `${label} does not take this reasoning effort with ${name}: it is asked without.`,
  hint: "Choose another with --reasoning_effort, or leave it out.",
});
