// `--local`: what runs models on this machine, what could, and a way to each of them.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { bytesIn, type LocalServer, loadEmbedded, loadLocal, type ServerProgram } from "../models/index.ts";
import { InputProblem, keepSetting, type Settings } from "../settings/index.ts";
import { cancellable } from "./cancellable.ts";
import { needsEmbedded, prepareEmbedded } from "./embedded-setup.ts";
import { howToInstall } from "./how-to-install.ts";
import { type Choice, choose } from "./menu.ts";
import { createProgressBar } from "./progress-bar.ts";
import { pullWithOllama } from "./pull-menu.ts";
import { openScreen, type Screen } from "./screen.ts";

/** What is chosen in the menu: a model, or a way to one. */
type Way =
  | { type: "model"; model: string }
  | { type: "pull"; server: LocalServer }
  | { type: "start"; program: ServerProgram }
  | { type: "embedded" }
  | { type: "how" };

/** Milliseconds that a server may take to answer: whoever asks for this menu wants to see it, busy machine or not. */
const patience = 1_000;

/** The settings with a model on this machine that is ready to run; undefined when the person left without one. */
export async function readyHere(settings: Settings): Promise<Settings | undefined> {
  const screen = openScreen(settings);
  if (!settings.local) {
    const ready = !needsEmbedded(settings) || (await prepareEmbedded(settings.model!, settings, screen));
    return ready ? settings : leave(screen);
  }
  if (!screen)
    throw new InputProblem(
      "--local asks which model to use, and there is nobody to ask: this is not a terminal.",
      "Name the model instead, for example --model ollama/NAME or --model PATH/TO/MODEL.gguf",
    );
  const model = await chooseModel(settings, screen);
  if (!model) return leave(screen);
  screen.output.write(`Model: ${model}\n`);
  const { apiBase: _base, apiKey: _key, ...rest } = settings;
  return { ...rest, model };
}

function leave(screen: Screen | undefined): undefined {
  screen?.output.write("Left without a model.\n");
}

async function chooseModel(settings: Settings, screen: Screen): Promise<string | undefined> {
  for (;;) {
    const choices = await ways(settings);
    const chosen = await choose({ title: "A model on this machine", choices, leaving: "leaves" }, screen);
    if (chosen.type !== "chosen") return undefined;
    const model = await follow(chosen.value, settings, screen);
    if (model === "left") return undefined;
    if (model) return (await keep(model, settings, screen)) ? model : undefined;
  }
}

/** A model, nothing when the person went back or it did not work, or "left". */
async function follow(way: Way, settings: Settings, screen: Screen): Promise<string | undefined> {
  try {
    if (way.type === "model") return (await isReady(way.model, settings, screen)) ? way.model : undefined;
    if (way.type === "pull") return await pullWithOllama(way.server, screen);
    if (way.type === "start") await start(way.program, screen);
    else if (way.type === "embedded") return await chooseWeights(settings, screen);
    else screen.output.write(`${howToInstall(process.platform)}\n`);
    return undefined;
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    if (hint === undefined) throw error;
    screen.output.write(`${screen.style.red("✗")} ${message}\n${hint ? `  ${screen.style.dim(hint)}\n` : ""}`);
    return undefined;
  }
}

async function isReady(model: string, settings: Settings, screen: Screen): Promise<boolean> {
  return !model.startsWith("embedded/") || prepareEmbedded(model, settings, screen);
}

async function ways(settings: Settings): Promise<Choice<Way>[]> {
  const { findLocalServers, findServerPrograms } = await loadLocal();
  const servers = await findLocalServers({ within: patience, ...(settings.offline && { offline: true }) });
  const programs = findServerPrograms(process.env).filter(
    ({ provider }) => !servers.some((server) => server.provider === provider),
  );
  const models = (await Promise.all(servers.map(modelsOf))).flat();
  const weights = await weightsHere();
  const ollama = servers.find(({ provider }) => provider === "ollama");
  const another = ollama && ollama.models.length > 0 ? "another" : "a";
  const way = (label: string, value: Way, note?: string): Choice<Way> => ({ label, value, ...(note && { note }) });
  return [
    ...models,
    ...weights,
    ...(ollama && !settings.offline
      ? [way(`Fetch ${another} model with Ollama …`, { type: "pull", server: ollama })]
      : []),
    ...programs.map((program) => way(`Start ${program.name}`, { type: "start", program }, "installed, not running")),
    ...(settings.offline ? [] : [way("Run a model without a server …", { type: "embedded" })]),
    ...(servers.length + programs.length === 0 ? [way("How to install a model server", { type: "how" })] : []),
  ];
}

async function modelsOf(server: LocalServer): Promise<Choice<Way>[]> {
  const { contextWindows } = await loadLocal();
  const windows = await contextWindows(server);
  return server.models.map(({ name, bytes }) => {
    const reads = windows.get(name);
    const facts = [
      server.name,
      ...(bytes ? [bytesIn(bytes)] : []),
      ...(reads ? [`reads ${thousands(reads)} tokens`] : []),
    ];
    return { label: name, note: facts.join(", "), value: { type: "model", model: `${server.provider}/${name}` } };
  });
}

/** Weights that were downloaded before. */
async function weightsHere(): Promise<Choice<Way>[]> {
  const { weightsFolder } = await loadEmbedded();
  const folder = weightsFolder(process.env);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".gguf")) : [];
  return files.sort().map((file) => {
    const name = file.replace(/\.gguf$/, "");
    const note = `without a server, ${bytesIn(statSync(join(folder, file)).size)}`;
    return { label: name, note, value: { type: "model", model: `embedded/${name}` } };
  });
}

const thousands = (tokens: number): string => (tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_024)}k`);

async function start(program: ServerProgram, screen: Screen): Promise<void> {
  const { startServer } = await loadLocal();
  const bar = createProgressBar(screen);
  const show = () => bar.show({ label: `Starting ${program.name}` });
  const timer = setInterval(show, 250);
  show();
  try {
    await cancellable(screen, (signal) => startServer(program, { env: process.env, signal }));
  } finally {
    clearInterval(timer);
    bar.end();
  }
}

async function chooseWeights(settings: Settings, screen: Screen): Promise<string | undefined> {
  const { recommended, fitsMemory, memoryHere } = await loadEmbedded();
  const memory = memoryHere();
  const chosen = await choose(
    {
      title: `Without a server (memory: ${bytesIn(memory)})`,
      choices: recommended.map(({ name, about, bytes }) => {
        const fits = fitsMemory(bytes, memory) ? "" : "too big for this memory, ";
        return { label: name, note: `${bytesIn(bytes)}, ${fits}${about}`, value: `embedded/${name}` };
      }),
      leaving: "goes back",
    },
    screen,
  );
  if (chosen.type === "left") return "left";
  if (chosen.type === "back") return undefined;
  return (await prepareEmbedded(chosen.value, settings, screen)) ? chosen.value : undefined;
}

/** Whether it shall be the model from now on; false when the person left. */
async function keep(model: string, settings: Settings, screen: Screen): Promise<boolean> {
  if (settings.model === model) return true;
  const answer = await choose(
    {
      title: `Use ${model}`,
      choices: [
        { label: "only this time", value: false },
        { label: "from now on", note: "writes it to settings.yaml", value: true },
      ],
      leaving: "skips",
    },
    screen,
  );
  if (answer.type === "left") return false;
  if (answer.type === "chosen" && answer.value) {
    const path = await keepSetting("model", model);
    screen.output.write(`Kept in ${path}\n`);
  }
  return true;
}
