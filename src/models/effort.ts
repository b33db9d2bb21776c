// How hard a model is asked to think: what the person chose, as near to it as the model can be told.

import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Endpoint } from "./endpoint.ts";

export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

/** What is asked for instead of an effort that a model does not know, nearest first. */
const instead: Record<Effort, readonly Effort[]> = {
  none: ["none", "minimal", "low"],
  minimal: ["minimal", "low"],
  low: ["low"],
  medium: ["medium"],
  high: ["high"],
  xhigh: ["xhigh", "high"],
};

const allEfforts: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh"];

export function effortFor({ wire, name }: Endpoint, wanted: Effort): Effort {
  const known = effortsOf(wire, name);
  return instead[wanted].find((effort) => known.includes(effort)) ?? wanted;
}

/**
 * The providers' packages leave out an effort that a model does not have, without a word to the person; so it is never
 * handed to them. Servers of unknown kind are told what the person said.
 */
function effortsOf(wire: string, name: string): readonly Effort[] {
  if (/^(openai|azure)/.test(wire) && wire !== "openai-compatible") return openaiEfforts(name);
  // Thinking without an effort of its own is measured in tokens, which know every step but "minimal" and "none".
  if (/anthropic|bedrock/.test(wire))
    return /claude-(?:opus|sonnet)-4-6/.test(name) ? ["none", "low", "medium", "high"] : without("minimal");
  if (wire === "google" || wire === "vertex") return googleEfforts(name);
  return allEfforts;
}

function openaiEfforts(name: string): readonly Effort[] {
  if (/^o\d/.test(name)) return ["low", "medium", "high"];
  const [, major, minor = "0"] = /^gpt-(\d+)(?:\.(\d+))?/.exec(name) ?? [];
  if (major === undefined) return allEfforts;
  if (Number(major) > 5) return ["low", "medium", "high", "xhigh"];
  if (minor === "0") return ["minimal", "low", "medium", "high"];
  return minor === "1" ? ["none", "low", "medium", "high"] : without("minimal");
}

function googleEfforts(name: string): readonly Effort[] {
  if (/gemini-2\.5-pro/.test(name)) return without("none");
  if (/gemini-[12]/.test(name)) return allEfforts;
  return /flash/.test(name) ? ["minimal", "low", "medium", "high"] : ["low", "medium", "high"];
}

const without = (effort: Effort): readonly Effort[] => allEfforts.filter((each) => each !== effort);

/** What single providers must be told besides: that thoughts are to be shown, or the effort under a name of their own. */
export function effortOptions({ wire }: Endpoint, effort: Effort): SharedV4ProviderOptions {
  if (wire === "openrouter") return { openrouter: { reasoning: { effort } } };
  if ((wire === "google" || wire === "vertex") && effort !== "none")
    return { google: { thinkingConfig: { includeThoughts: true } } };
  return {};
}
