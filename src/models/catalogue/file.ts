// The catalogue on disk: the one that comes with the program, and a newer one that the person fetched, which goes
// first. Nothing is read before somebody asks for what is not known by heart.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../settings/index.ts";
import { type ListedModel, readModelLine, readProviderLine } from "./lines.ts";
import { ownProviders } from "./own-providers.ts";
import type { Provider } from "./provider.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const bundled = new URL("./catalogue.tsv", import.meta.url);

/** Where a fetched catalogue is kept. */
export const fetchedCatalogue = (env: Environment): string => join(places(env).data, "catalogue.tsv");

interface Catalogue {
  /** Begins and ends with a line break, so that every line can be found by its beginning. */
  text: string;
  /** Taken apart when all of them are wanted. */
  providers?: Provider[];
}

const known = new Map<string | URL, Catalogue>();

function catalogues(env: Environment): Catalogue[] {
  return [fetchedCatalogue(env), bundled].map((path) => {
    const catalogue = known.get(path) ?? { text: read(path) };
    known.set(path, catalogue);
    return catalogue;
  });
}

/** A person's own copy may be missing, and may be unreadable: the one that came with the program is enough. */
function read(path: string | URL): string {
  try {
    return `\n${readFileSync(path, "utf8")}\n`;
  } catch {
    return "\n";
  }
}

/** Forgets what was read, after the files changed. */
export const forgetCatalogues = (): void => known.clear();

/** The line that begins with this field. */
function findLine(text: string, field: string): string | undefined {
  const wanted = `\n${field}`;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const after = text[at + wanted.length];
    if (after === "\t" || after === "\n") return text.slice(at + 1, text.indexOf("\n", at + 1));
  }
  return undefined;
}

export function listedProvider(name: string, env: Environment): Provider | undefined {
  for (const { text } of catalogues(env)) {
    const line = findLine(text, `@${name}`);
    if (line) return readProviderLine(line);
  }
  return undefined;
}

export function listedProviders(env: Environment): Provider[] {
  const own = new Set(ownProviders.map(({ name }) => name));
  const found = new Map<string, Provider>();
  for (const catalogue of catalogues(env)) {
    catalogue.providers ??= [...catalogue.text.matchAll(/^@.*$/gm)].map(([line]) => readProviderLine(line));
    for (const provider of catalogue.providers)
      if (!own.has(provider.name) && !found.has(provider.name)) found.set(provider.name, provider);
  }
  return [...found.values()];
}

/** A model by its whole name. */
export function findListed(id: string, env: Environment): ListedModel | undefined {
  for (const { text } of catalogues(env)) {
    const line = findLine(text, id);
    if (line) return readModelLine(line);
  }
  return undefined;
}

/** The lines of every model, the newest first; a model may be there twice. */
export function modelLines(env: Environment): string[] {
  return catalogues(env).flatMap(({ text }) => text.split("\n").filter((line) => line !== "" && !/^[#@]/.test(line)));
}

/** The lines of models that have a word in them, whatever the case, without taking the others apart. */
export function* linesWith(word: string, env: Environment): Generator<string> {
  const wanted = new RegExp(word.replace(/[^\w]/g, "\\$&"), "gi");
  for (const { text } of catalogues(env)) {
    wanted.lastIndex = 0;
    while (wanted.test(text)) {
      const start = text.lastIndexOf("\n", wanted.lastIndex - 1) + 1;
      const end = text.indexOf("\n", wanted.lastIndex);
      if (text[start] !== "#" && text[start] !== "@") yield text.slice(start, end);
      wanted.lastIndex = end;
    }
  }
}

/** Every model once. */
export function listedModels(env: Environment): ListedModel[] {
  const found = new Map<string, ListedModel>();
  for (const line of modelLines(env)) {
    const model = readModelLine(line);
    if (!found.has(model.id)) found.set(model.id, model);
  }
  return [...found.values()];
}
