// Which providers could answer right now, judged by the environment alone: no network.

import { catalogue, type Provider } from "./catalogue.ts";

export interface UsableProvider {
  provider: Provider;
  /** The variable that holds its key. */
  variable: string;
  /** A full model name to begin with, where we know a good one. */
  model?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The first of the variables that is set to something. */
export function readVariable(env: Environment, names: readonly string[]): { name: string; value: string } | undefined {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return undefined;
}

/** Variables that people set for other reasons, and which alone do not mean that the provider is wanted. */
const shared = new Set(["GITHUB_TOKEN", "HF_TOKEN", "GOOGLE_API_KEY"]);

export function findUsableModels(env: Environment): UsableProvider[] {
  const found: UsableProvider[] = [];
  for (const provider of catalogue) {
    if (provider.name === "openai-chat" || provider.name === "openai-responses") continue;
    const names = [...provider.keyVariables, ...(provider.local ? (provider.baseVariables ?? []) : [])];
    const key = readVariable(
      env,
      names.filter((name) => !shared.has(name)),
    );
    if (!key) continue;
    const model = provider.suggested && `${provider.name}/${provider.suggested}`;
    found.push({ provider, variable: key.name, ...(model ? { model } : {}) });
  }
  return found;
}

/** The environment without the keys of model providers: what code that a model wrote may see. */
export function withoutModelKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const keys = new Set(catalogue.flatMap(({ keyVariables }) => keyVariables).filter((name) => !shared.has(name)));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !keys.has(name) && name !== "INTERPRETER_API_KEY"));
}
