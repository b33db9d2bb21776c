// The model of a conversation: as named or as chosen, with its key from wherever that is.

import { keyOwner, MissingKeyError, type Model, type ModelChoice, resolveModel } from "../models/index.ts";
import { type FoundKey, type KeyOwner, openKeys } from "../settings/index.ts";
import { chooseModel } from "./choose-model.ts";

/** Asked for the key of a provider; nothing when the person gives none. */
export type AskKey = (owner: KeyOwner) => Promise<string | undefined>;

export interface ModelWanted extends Omit<ModelChoice, "model" | "env"> {
  model: string | undefined;
  env: NodeJS.ProcessEnv;
  cwd: string;
  askKey?: AskKey | undefined;
  /** Told a key that was found outside of flags and environment. */
  onKey?: (owner: string, key: string) => void;
}

export interface OpenModel {
  model: Model;
  /** Where its key was found, when neither flags nor the environment had it. */
  keyFrom?: FoundKey["place"];
}

/** Rejects with a plain-words problem. */
export async function openModel({ askKey, onKey, cwd, ...wanted }: ModelWanted): Promise<OpenModel> {
  const choice = { ...wanted, cwd, model: wanted.model ?? (await chooseModel({ ...wanted, cwd })) };
  try {
    return { model: resolveModel(choice) };
  } catch (error) {
    if (!(error instanceof MissingKeyError)) throw error;
    const owner = keyOwner(error.provider, choice.env);
    const found = owner && (await (await openKeys()).findKey(owner, cwd, choice.env));
    if (found) onKey?.(owner.name, found.key);
    if (found) return { model: resolveModel({ ...choice, apiKey: found.key }), keyFrom: found.place };
    const given = owner && (await askKey?.(owner));
    if (given) onKey?.(owner.name, given);
    if (given) return { model: resolveModel({ ...choice, apiKey: given }) };
    throw error;
  }
}
