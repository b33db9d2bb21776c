// The first start of all: which model shall write the code. One menu, which Enter or Escape skips, and then never again.

import { findLocalServers, findProvider, findUsableModels, keyOwner, keyOwners } from "../models/index.ts";
import { keepSetting, openKeys, openSettings, type Settings } from "../settings/index.ts";
import { keyAsker } from "./ask-key.ts";
import { LineReader } from "./line-reader.ts";
import { readyHere } from "./local-menu.ts";
import { type Choice, choose } from "./menu.ts";
import { openScreen, type Screen } from "./screen.ts";

type Way = { type: "skip" } | { type: "model"; model: string } | { type: "key" } | { type: "local" } | { type: "tour" };

/** The settings to start with, or "tour". Nothing is asked where there is just one model to use. */
export async function firstRun(settings: Settings): Promise<Settings | "tour"> {
  const screen = openScreen(settings);
  if (!screen) return settings;
  const found = await usable(settings);
  const answered = async (chosen: Settings) => {
    (await openSettings()).rememberWelcome();
    return chosen;
  };
  if (found.length === 1) return answered(settings);
  const title = "Welcome to Open Interpreter. Which model shall write the code?";
  const choices = ways(found, settings);
  for (;;) {
    const chosen = await choose({ title, choices, leaving: "skips this" }, screen);
    if (chosen.type !== "chosen" || chosen.value.type === "skip") return answered(settings);
    const way = chosen.value;
    // Which model it shall be is still to be said after the tour.
    if (way.type === "tour") return "tour";
    const more = way.type === "local" ? await readyHere({ ...settings, local: true }) : await follow(way, screen);
    if (more) return answered({ ...settings, ...more });
  }
}

/** A model that is kept from now on, and the key that was given for it; nothing when the person went back. */
async function follow(way: Way, screen: Screen): Promise<Partial<Settings> | undefined> {
  const found = way.type === "model" ? { model: way.model } : await withKey(screen);
  if (found) screen.output.write(`Model: ${found.model}, kept in ${await keepSetting("model", found.model)}\n`);
  return found;
}

interface Usable {
  model: string;
  /** Why it can be used. */
  note: string;
}

async function usable(settings: Settings): Promise<Usable[]> {
  const [keys, servers] = await Promise.all([settings.offline ? [] : modelsWithKeys(), findLocalServers()]);
  const local = servers.flatMap(({ name, provider, models }) =>
    models.slice(0, 3).map((model) => ({ model: `${provider}/${model.name}`, note: `${name}, on this machine` })),
  );
  return [...keys, ...local];
}

function ways(found: readonly Usable[], settings: Settings): Choice<Way>[] {
  return [
    {
      label: "Choose later",
      note: "--model NAME, %model NAME, interpreter config set model NAME",
      value: { type: "skip" },
    },
    ...found.map(({ model, note }): Choice<Way> => ({ label: model, note, value: { type: "model", model } })),
    ...(settings.offline ? [] : [{ label: "Give an API key …", value: { type: "key" } } satisfies Choice<Way>]),
    { label: "A model on this machine …", value: { type: "local" } },
    { label: "See the tour first", note: "no model is needed", value: { type: "tour" } },
  ];
}

/** Where a key is known: in the environment, in the folder's .env, or kept. */
async function modelsWithKeys(): Promise<Usable[]> {
  const { env } = process;
  const { keptKeys, readDotEnv } = await openKeys();
  const owners = keyOwners(env);
  const here = readDotEnv(
    process.cwd(),
    owners.flatMap(({ variables }) => variables),
  );
  const kept = keptKeys(env);
  const keptOnes = owners.filter(({ name }) => kept[name]).map(({ variables }) => [variables[0], "kept"]);
  const sources = [
    ...findUsableModels(env).map(({ model, variable }) => ({ model, note: `key in ${variable}` })),
    ...findUsableModels(here).map(({ model, variable }) => ({ model, note: `${variable} in .env of this folder` })),
    ...findUsableModels(Object.fromEntries(keptOnes)).map(({ model }) => ({ model, note: "key is kept" })),
  ];
  const seen = new Set<string>();
  return sources.flatMap(({ model, note }) => {
    if (!model || seen.has(model)) return [];
    seen.add(model);
    return [{ model, note }];
  });
}

/** Providers that people have keys of, and for which we know a model to begin with. */
const offered = ["anthropic", "openai", "google", "mistral", "deepseek"];

async function withKey(screen: Screen): Promise<{ model: string; apiKey: string } | undefined> {
  const providers = offered.flatMap((name) => findProvider(name) ?? []);
  const choices = providers.map((provider) => ({ label: provider.label, value: provider }));
  const chosen = await choose({ title: "Whose key?", choices, leaving: "goes back" }, screen);
  if (chosen.type !== "chosen") return undefined;
  const owner = keyOwner(chosen.value, process.env)!;
  const lines = new LineReader(screen.input, screen.output);
  try {
    const apiKey = await keyAsker(lines, () => {})(owner);
    return apiKey === undefined ? undefined : { model: `${chosen.value.name}/${chosen.value.suggested}`, apiKey };
  } finally {
    lines.close();
  }
}
