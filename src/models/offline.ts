// With --offline a model is on this machine or it is refused, before anything is asked for or sent.

import { isOnThisMachine } from "../machine/index.ts";
import { type Endpoint, type EndpointChoice, findEndpoint } from "./endpoint.ts";
import { ModelNameError } from "./model-name-error.ts";

/** Ollama lists models of its makers' cloud among its own, and sends what they are asked there. */
export const isForwarded = (provider: string | undefined, name: string): boolean =>
  provider === "ollama" && /[:-]cloud$/i.test(name);

/** Throws ModelNameError for what is elsewhere. */
export function findEndpointHere(choice: EndpointChoice): Endpoint {
  // With any key at all: that one is missing must not come before that it would be of no use.
  const found = findEndpoint({ ...choice, apiKey: choice.apiKey?.trim() || "none" });
  const { id, baseUrl, wire, provider, name } = found;
  const isHere = wire === "embedded" || (isOnThisMachine(baseUrl) && !isForwarded(provider?.name, name));
  if (isHere) return findEndpoint(choice);
  const host = choice.apiBase ? ` (${URL.parse(baseUrl)?.host ?? choice.apiBase})` : "";
  throw new ModelNameError(
    `--offline is on, and ${id}${host} is not on this machine.`,
    "Use a model that runs here, such as --model ollama/llama3.1, with an address on 127.0.0.1 or localhost.",
  );
}
