// From the user's choice to a model that can be asked. Nothing is loaded and nothing is sent until it is asked.

import { type EndpointChoice, findEndpoint } from "./endpoint.ts";
import { EndpointModel } from "./model.ts";
import type { Dialect, Model } from "./types.ts";

export interface ModelChoice extends EndpointChoice {
  /** Zero is a temperature; undefined leaves it to the provider. */
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  /** Tool calls unless told; a server without them makes it markdown by itself. */
  dialect?: Dialect | undefined;
  /** Further attempts after the first; 2 unless told. */
  maxRetries?: number | undefined;
  /** Whether the model sees images; unless told, only the three big providers' models are taken to. */
  vision?: boolean | undefined;
  /** Tokens; unless told, what the catalogue or the server says. */
  contextWindow?: number | undefined;
  codeOutputTemplate?: string | undefined;
  emptyCodeOutputTemplate?: string | undefined;
}

/** Throws ModelNameError when the name or the key cannot be right. */
export function resolveModel(choice: ModelChoice): Model {
  const endpoint = findEndpoint(choice);
  return new EndpointModel(endpoint, {
    dialect: choice.dialect ?? "tool",
    vision: choice.vision ?? endpoint.wire !== "openai-compatible",
    temperature: choice.temperature,
    maxTokens: choice.maxTokens,
    maxRetries: choice.maxRetries ?? 2,
    contextWindow: choice.contextWindow,
    codeOutputTemplate: choice.codeOutputTemplate,
    emptyCodeOutputTemplate: choice.emptyCodeOutputTemplate,
  });
}
