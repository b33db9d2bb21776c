// How weights are named: the path of a GGUF file, or `embedded/NAME` for those that were downloaded.

import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";
import { places } from "../../settings/index.ts";
import { findProvider } from "../catalogue/index.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder that downloaded weights are kept in. */
export const weightsFolder = (env: Environment): string => join(places(env).data, "models");

/** The folder that what runs them is installed in. */
export const engineFolder = (env: Environment): string => join(places(env).data, "engine");

/** Whether a model's name means weights. One that begins with the name of another provider is that provider's. */
export function isEmbedded(model: string, apiBase: string | undefined, env: Environment): boolean {
  if (/^embedded\//i.test(model)) return true;
  // Behind an address it is the name that the server there has for a model.
  if (apiBase || !/\.gguf$/i.test(model)) return false;
  if (isWeightsPath(model)) return true;
  const slash = model.indexOf("/");
  return slash < 0 || findProvider(model.slice(0, slash), env) === undefined;
}

/** Nothing else looks like this, whatever else was chosen. */
export const isWeightsPath = (model: string): boolean => /^(?:[~./\\]|[a-z]:[\\/]).*\.gguf$/i.test(model);

/** The file a path means: absolute, relative to a folder, or in the person's home. */
export function weightsAt(path: string, cwd: string, env: Environment): string {
  if (/^~[\\/]/.test(path)) return join(env.HOME ?? homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** The file of weights that were downloaded under a name. */
export const weightsNamed = (name: string, env: Environment): string =>
  join(weightsFolder(env), `${basename(name)}.gguf`);

/** The file that a name means. */
export const weightsOf = (model: string, cwd: string, env: Environment): string =>
  /^embedded\//i.test(model) ? weightsNamed(model.slice("embedded/".length), env) : weightsAt(model, cwd, env);
