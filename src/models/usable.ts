// Which providers could answer right now, judged by the environment alone: no network.

import { allProviders, type Environment, ownProviders, type Provider } from "./catalogue/index.ts";

export interface UsableProvider {
  provider: Provider;
  /** The variable that holds its key. */
  variable: string;
  /** A full model name to begin with, where we know a good one. */
  model?: string;
}

/** The first of the variables that is set to something. */
export function readVariable(env: Environment, names: readonly string[]): { name: string; value: string } | undefined {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return undefined;
}

/** Variables that people set for other reasons, and which alone do not mean that the provider is wanted. */
const shared = new Set([
  "GITHUB_TOKEN",
  "HF_TOKEN",
  "GOOGLE_API_KEY",
  "WANDB_API_KEY",
  "CLOUDFLARE_API_KEY",
  "DATABRICKS_TOKEN",
  "DIGITALOCEAN_ACCESS_TOKEN",
  "HETZNER_API_KEY",
  "SCALEWAY_API_KEY",
  "VULTR_API_KEY",
]);

export function findUsableModels(env: Environment): UsableProvider[] {
  const found: UsableProvider[] = [];
  const seen = new Set<string>();
  for (const provider of providersFor(env)) {
    const names = [...provider.keyVariables, ...(provider.local ? (provider.baseVariables ?? []) : [])];
    const key = readVariable(
      env,
      names.filter((name) => !shared.has(name)),
    );
    // Of several providers with the same key the first is the one that is meant.
    if (!key || seen.has(key.name)) continue;
    seen.add(key.name);
    const model = provider.suggested && `${provider.name}/${provider.suggested}`;
    found.push({ provider, variable: key.name, ...(model ? { model } : {}) });
  }
  return found;
}

/** The environment without the keys of model providers: what code that a model wrote may see. */
export function withoutModelKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const keys = new Set(
    providersFor(env).flatMap(({ keyVariables }) => keyVariables.filter((name) => !shared.has(name))),
  );
  keys.add("INTERPRETER_API_KEY");
  // Windows does not tell capitals from small letters in these names.
  const plain = (name: string) => (process.platform === "win32" ? name.toUpperCase() : name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !keys.has(plain(name))));
}

/** The catalogue is read only when something in the environment may be a key of a provider we do not know by heart. */
function providersFor(env: Environment): readonly Provider[] {
  const known = new Set(ownProviders.flatMap(({ keyVariables }) => keyVariables));
  const maybe = Object.keys(env).some((name) => /KEY|TOKEN|_PAT$/.test(name) && !known.has(name));
  return maybe ? allProviders(env) : ownProviders;
}
