// From the user's choice to a model that can be asked. Nothing is loaded and nothing is sent until it is asked.

import type { Outbox } from "../privacy/index.ts";
import type { Effort } from "./effort.ts";
import { type EndpointChoice, findEndpoint } from "./endpoint.ts";
import { EndpointModel } from "./model.ts";
import { findEndpointHere } from "./offline.ts";
import { type Templates, templatesOf } from "./prompt/templates.ts";
import type { Dialect, Model } from "./types.ts";

export interface ModelChoice extends EndpointChoice, Templates {
  /** Refuses what is not on this machine. */
  offline?: boolean | undefined;
  /** Zero is a temperature; undefined leaves it to the provider. */
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  /** How hard it thinks; undefined leaves that to the provider. */
  reasoningEffort?: string | undefined;
  /** Tool calls unless told or known to have none; a server without them makes it markdown by itself. */
  dialect?: Dialect | undefined;
  /** Further attempts after the first; 2 unless told. */
  maxRetries?: number | undefined;
  /** Whether the model sees images; unless told, what the catalogue or the server says. */
  vision?: boolean | undefined;
  /** Tokens; unless told, what the catalogue or the server says. */
  contextWindow?: number | undefined;
  /** Told what is sent. */
  outbox?: Outbox | undefined;
}

/** Throws ModelNameError when the name or the key cannot be right. */
export function resolveModel(choice: ModelChoice): Model {
  const endpoint = choice.offline ? findEndpointHere(choice) : findEndpoint(choice);
  const settings = {
    dialect: choice.dialect,
    vision: choice.vision,
    temperature: choice.temperature,
    maxTokens: choice.maxTokens,
    reasoningEffort: choice.reasoningEffort as Effort | undefined,
    maxRetries: choice.maxRetries ?? 2,
    contextWindow: choice.contextWindow,
    outbox: choice.outbox,
    ...templatesOf(choice),
  };
  return new EndpointModel(endpoint, settings, choice.env);
}
