// The lines of a catalogue: one for a provider, one for a model, with tabs between the fields. A lookup reads its own
// line only, and a change of a price is a change of one line.

import type { ModelFacts, Prices } from "../types.ts";
import type { Provider, Wire } from "./provider.ts";

export interface ListedModel {
  /** `provider/name`. */
  id: string;
  facts: ModelFacts;
  /** Some gateways have a few models on another wire, or at another address, than the rest. */
  wire?: Wire;
  baseUrl?: string;
}

/** What the fields of a line are, for whoever reads the file. */
export const columns = [
  "# @provider, label, wire, address, variables that hold the key",
  "# provider/model, window, longest reply, dollars for a million tokens read, written, read from the cache and written",
  "#   to it, abilities (s sees, t calls tools, r reasons; ! before one: does not), wire, address",
];

export const providerLine = ({ name, label, wire, baseUrl, keyVariables }: Provider): string =>
  [`@${name}`, label, wire, baseUrl, keyVariables.join(",")].join("\t");

export function readProviderLine(line: string): Provider {
  const [name = "", label = "", wire = "", baseUrl = "", keys = ""] = line.split("\t");
  return { name: name.slice(1), label, wire: wire as Wire, baseUrl, keyVariables: keys ? keys.split(",") : [] };
}

export function modelLine({ id, facts, wire, baseUrl }: ListedModel): string {
  const { contextWindow, maxOutput, prices } = facts;
  const numbers = [
    contextWindow,
    maxOutput,
    prices?.input,
    prices?.output,
    prices?.cachedInput,
    prices?.cacheWrite,
  ] as const;
  return [id, ...numbers.map(written), abilitiesOf(facts), wire ?? "", baseUrl ?? ""].join("\t").trimEnd();
}

export function readModelLine(line: string): ListedModel {
  const [id = "", window, longest, input, output, cachedInput, cacheWrite, abilities = "", wire, baseUrl] =
    line.split("\t");
  const prices = readPrices(input, output, cachedInput, cacheWrite);
  const facts: ModelFacts = {
    ...(window && { contextWindow: Number(window) }),
    ...(longest && { maxOutput: Number(longest) }),
    ...(prices && { prices }),
    ...ability("vision", "s", abilities),
    ...ability("tools", "t", abilities),
    ...ability("reasoning", "r", abilities),
  };
  return { id, facts, ...(wire && { wire: wire as Wire }), ...(baseUrl && { baseUrl }) };
}

const letters = { vision: "s", tools: "t", reasoning: "r" } as const;

const abilitiesOf = (facts: ModelFacts): string =>
  (["vision", "tools", "reasoning"] as const)
    .map((name) => (facts[name] === undefined ? "" : `${facts[name] ? "" : "!"}${letters[name]}`))
    .join("");

function ability(name: keyof typeof letters, letter: string, text: string): ModelFacts {
  const at = text.indexOf(letter);
  return at < 0 ? {} : { [name]: text[at - 1] !== "!" };
}

/** Six digits are more than any price list has. */
const written = (value: number | undefined): string =>
  value === undefined ? "" : String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));

function readPrices(input?: string, output?: string, cachedInput?: string, cacheWrite?: string): Prices | undefined {
  if (!input || !output) return undefined;
  return {
    input: Number(input),
    output: Number(output),
    ...(cachedInput && { cachedInput: Number(cachedInput) }),
    ...(cacheWrite && { cacheWrite: Number(cacheWrite) }),
  };
}
