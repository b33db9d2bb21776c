// Which model to use when the person has not said: the first provider whose key is in the environment, in the folder's
// `.env`, or kept; with --offline the first that a server on this machine has.

import { findUsableModels, isForwarded, keyOwners, loadLocal } from "../models/index.ts";
import { InputProblem, openKeys } from "../settings/index.ts";

export class NoModelProblem extends InputProblem {
  override name = "NoModelProblem";
}

export interface ModelWish {
  apiBase?: string | undefined;
  offline?: boolean | undefined;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export async function chooseModel(wish: ModelWish): Promise<string> {
  if (wish.apiBase) {
    throw new InputProblem(
      "--api_base was given, but no model.",
      "Name the model that server should use: --model NAME",
    );
  }
  if (wish.offline) return chooseHere(wish.env);
  const found = firstOf(wish.env) ?? (await chooseByKeptKey(wish));
  if (found) return found;
  throw new NoModelProblem(
    "No model is set up: none was named, and no API key is in the environment.",
    "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or keep a key: interpreter keys set PROVIDER. Or use --model ollama/NAME",
  );
}

const firstOf = (env: NodeJS.ProcessEnv): string | undefined =>
  findUsableModels(env).find((usable) => usable.model !== undefined)?.model;

async function chooseByKeptKey({ cwd, env }: ModelWish): Promise<string | undefined> {
  const { keptKeys, readDotEnv } = await openKeys();
  const owners = keyOwners(env);
  const here = readDotEnv(
    cwd,
    owners.flatMap(({ variables }) => variables),
  );
  const kept = keptKeys(env);
  const elsewhere = owners.filter(({ name }) => kept[name]).map(({ variables }) => [variables[0], "kept"]);
  return firstOf(here) ?? firstOf(Object.fromEntries(elsewhere));
}

/** Servers have other models, too: for searching, for speech. */
const notForWords = /embed|rerank|whisper|(^|[-_/])tts/i;

async function chooseHere(env: NodeJS.ProcessEnv): Promise<string> {
  const { findLocalServers } = await loadLocal();
  for (const { provider, models } of await findLocalServers({ env, offline: true })) {
    const model = models.find(({ name }) => !notForWords.test(name) && !isForwarded(provider, name));
    if (model) return `${provider}/${model.name}`;
  }
  throw new NoModelProblem(
    "--offline is on, no model was named, and no model server answers on this machine.",
    "Start one, such as Ollama, or name a model that runs here: --model ollama/NAME",
  );
}
