// The profile `fast`: a quick and cheap model of the provider that would be used anyway.

import { findProvider } from "../models/index.ts";
import { chooseModel, type ModelWish, NoModelProblem } from "./choose-model.ts";

/** Undefined where no such model is known: then the usual one is used. */
export async function quickModel(model: string | undefined, wish: ModelWish): Promise<string | undefined> {
  if (wish.apiBase) return undefined;
  const usual = model ?? (await chooseModel(wish).catch(orNone));
  const provider = usual === undefined ? undefined : findProvider(usual.split("/")[0]!);
  return provider?.quick && `${provider.name}/${provider.quick}`;
}

function orNone(error: unknown): undefined {
  if (!(error instanceof NoModelProblem)) throw error;
}
