// Every model that is known, with what is known of it, and whether it could be used right now.

import { openKeys } from "../settings/index.ts";
import { bareName, factsElsewhere, isEnough } from "./catalogue/find-facts.ts";
import { allProviders, type Environment, findProvider, type ListedModel, listedModels } from "./catalogue/index.ts";
import { findEndpoint } from "./endpoint.ts";
import { findFacts } from "./facts.ts";
import { keyOwners } from "./key-owner.ts";
import { findLocalServers } from "./local/index.ts";
import type { ModelFacts } from "./types.ts";

export interface KnownModel {
  /** `provider/name`. */
  id: string;
  /** What a person calls the provider. */
  label: string;
  facts: ModelFacts;
  /** There is a key for it, or its server answers. */
  usable: boolean;
}

export interface Look {
  /** Words that must all be in the name, or in the provider's. */
  search: string;
  env: Environment;
  cwd: string;
  offline: boolean;
}

/** Those that could be used first, each part in the order a person should be offered them. */
export async function listModels(look: Look): Promise<KnownModel[]> {
  // One after the other: servers are given only a moment, which must not go by while this process is busy.
  const local = await localModels(look);
  const usable = await usableProviders(look);
  const order = new Map(allProviders(look.env).map(({ name }, place) => [name, place]));
  const place = ({ id }: ListedModel): number => order.get(ownerOf(id)) ?? order.size;
  const found = listedModels(look.env)
    .filter(({ id }) => !findProvider(ownerOf(id), look.env)?.local && matches(id, labelOf(id, look.env), look.search))
    .sort((a, b) => place(a) - place(b));
  const hosted = fillIn(found, look.env).map(({ id, facts }) => ({
    id,
    label: labelOf(id, look.env),
    facts,
    usable: !look.offline && usable.has(ownerOf(id)),
  }));
  return [...local, ...hosted.filter((model) => model.usable), ...hosted.filter((model) => !model.usable)];
}

const ownerOf = (id: string): string => id.slice(0, id.indexOf("/"));
const labelOf = (id: string, env: Environment): string => findProvider(ownerOf(id), env)?.label ?? ownerOf(id);

function matches(id: string, label: string, search: string): boolean {
  const text = `${id} ${label}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** What a provider's list does not say of a model is known from others, but for the price. */
function fillIn(models: readonly ListedModel[], env: Environment): ListedModel[] {
  const nameOf = ({ id }: ListedModel): string => id.slice(id.indexOf("/") + 1);
  const elsewhere = factsElsewhere(models.filter(({ facts }) => !isEnough(facts)).map(nameOf), env);
  return models.map((model) => ({ ...model, facts: { ...elsewhere.get(bareName(nameOf(model))), ...model.facts } }));
}

async function localModels({ search, env, offline }: Look): Promise<KnownModel[]> {
  const servers = await findLocalServers({ env, offline });
  const models = servers.flatMap(({ provider, name: label, url, models }) =>
    models.map(({ name }) => ({ id: `${provider}/${name}`, label, url })),
  );
  return Promise.all(
    models
      .filter(({ id, label }) => matches(id, label, search))
      .map(async ({ id, label, url }) => {
        const endpoint = findEndpoint({ model: id, apiBase: url, env });
        return { id, label, facts: await findFacts(endpoint, {}, env), usable: true };
      }),
  );
}

/** Providers for which there is a key: in the environment, in .env of this folder, or kept. */
async function usableProviders({ env, cwd }: Look): Promise<Set<string>> {
  const { keptKeys, readDotEnv } = await openKeys();
  const providers = allProviders(env);
  const here = readDotEnv(
    cwd,
    providers.flatMap(({ keyVariables }) => keyVariables),
  );
  const kept = keptKeys(env);
  const owners = keyOwners(env);
  const usable = providers.filter((provider) => {
    const owner = owners.find(({ variables }) => variables[0] === provider.keyVariables[0]);
    const apiKey = owner && kept[owner.name] && "kept";
    try {
      findEndpoint({ model: `${provider.name}/any`, apiKey, env: { ...here, ...env } });
      return true;
    } catch {
      return false;
    }
  });
  return new Set(usable.map(({ name }) => name));
}
