// What a person may have meant by a model's name that the catalogue does not have.

import { nearest } from "../../settings/index.ts";
import { type Environment, findListed, listedModels } from "./file.ts";
import { bareName, undatedName } from "./find-facts.ts";
import { findProvider } from "./index.ts";

/** The listed model of the same provider that is most like this one; nothing when it is listed, or nothing is near. */
export function suggestModel(id: string, env: Environment): string | undefined {
  const slash = id.indexOf("/");
  const provider = findProvider(id.slice(0, slash), env);
  const owner = provider?.modelsOf ?? provider?.name;
  const name = id.slice(slash + 1);
  if (!owner || slash < 0 || findListed(`${owner}/${name}`, env)) return undefined;
  const names = listedModels(env).flatMap((model) =>
    model.id.startsWith(`${owner}/`) ? [model.id.slice(owner.length + 1)] : [],
  );
  const same = names.find((listed) => bareName(listed) === bareName(name));
  // A dated name of a model that is listed without its date is no slip.
  if (same && undatedName(name) !== name.toLowerCase()) return undefined;
  const near = same ?? nearest(name.toLowerCase(), names);
  return near && `${provider!.name}/${near}`;
}

/** Whole names under which a model without a provider is known, best first. */
export function providersOf(name: string, env: Environment): string[] {
  const wanted = bareName(name);
  const models = listedModels(env).filter(({ id }) => bareName(id.slice(id.indexOf("/") + 1)) === wanted);
  const isOwn = (id: string): boolean => findProvider(id.slice(0, id.indexOf("/")), {})?.suggested !== undefined;
  return models.map(({ id }) => id).sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
}
