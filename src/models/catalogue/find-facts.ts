// What the catalogue says of a model. Names are written in many ways: with a date, with a tag, behind a maker's name. What
// is known of the same model elsewhere holds here too, except what it costs.

import type { ModelFacts } from "../types.ts";
import { type Environment, findListed, linesWith, modelLines } from "./file.ts";
import { readModelLine } from "./lines.ts";
import type { Provider } from "./provider.ts";

export function listedFacts(provider: Provider | undefined, name: string, env: Environment): ModelFacts {
  const owner = provider?.modelsOf ?? provider?.name;
  const listed = owner === undefined ? undefined : findListed(`${owner}/${name}`, env)?.facts;
  if (listed && isEnough(listed)) return listed;
  const same = owner === undefined ? undefined : otherDay(owner, name, env);
  return { ...factsElsewhere([name], env).get(bareName(name)), ...same, ...listed };
}

export const isEnough = ({ contextWindow, vision, tools }: ModelFacts): boolean =>
  contextWindow !== undefined && vision !== undefined && tools !== undefined;

/** The same model of the same provider, under another date: that has the same price, too. */
function otherDay(owner: string, name: string, env: Environment): ModelFacts | undefined {
  const undated = undatedName(name);
  for (const line of linesWith(`${owner}/${undated}`, env))
    if (line.startsWith(`${owner}/`) && undatedName(idOf(line).slice(owner.length + 1)) === undated)
      return readModelLine(line).facts;
  return undefined;
}

/** Those who make models go first, then a gateway that is careful about what it says. */
const trusted = [
  "anthropic",
  "openai",
  "google",
  "mistral",
  "deepseek",
  "xai",
  "moonshot",
  "zai",
  "minimax",
  "alibaba",
];
const ranks = new Map([...trusted, "cohere", "meta", "openrouter", "vercel"].map((name, rank) => [name, rank]));

/** What is known of models wherever they are, by their bare names; without prices, which are everybody's own. */
export function factsElsewhere(names: readonly string[], env: Environment): Map<string, ModelFacts> {
  const wanted = new Set(names.map(bareName));
  // One name is looked for by its longest word first: taking every name apart takes longer.
  const [only] = wanted.size === 1 ? wanted : [];
  const word = only?.split("-").reduce((longest, part) => (part.length > longest.length ? part : longest), "");
  const best = new Map<string, { rank: number; line: string }>();
  for (const line of word ? linesWith(word, env) : modelLines(env)) {
    const id = idOf(line);
    const slash = id.indexOf("/");
    const bare = bareName(id.slice(slash + 1));
    const rank = ranks.get(id.slice(0, slash)) ?? ranks.size;
    if (!wanted.has(bare) || rank >= (best.get(bare)?.rank ?? ranks.size + 1) || !/^[^\t]*\t\d/.test(line)) continue;
    best.set(bare, { rank, line });
  }
  return new Map(
    [...best].map(([bare, { line }]) => {
      const { prices: _, ...facts } = readModelLine(line).facts;
      return [bare, facts];
    }),
  );
}

const idOf = (line: string): string => line.split("\t", 1)[0]!;

/** Without what only says which day's version it is. */
export const undatedName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/:latest$/, "")
    .replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest|default)$/, "");

/** The name that the maker gave it: without date, tag, region and maker. */
export const bareName = (name: string): string =>
  undatedName(
    name
      .replace(/^.*\//, "")
      .replace(/^(?:[a-z-]+\.)+(?=[a-z])/i, "")
      .replace(/:(?!\d+[bm]\b).*$/, "")
      .replace(/-v\d+$/, ""),
  ).replaceAll(".", "-");
