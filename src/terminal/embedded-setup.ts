// Gets what a model without a server needs, with the person's yes: the engine and the weights.

import { existsSync } from "node:fs";
import { bytesIn, isEmbedded, loadEmbedded } from "../models/index.ts";
import { InputProblem, nearest, type Settings } from "../settings/index.ts";
import { cancellable } from "./cancellable.ts";
import { choose } from "./menu.ts";
import { createProgressBar } from "./progress-bar.ts";
import { type Screen, screenFor } from "./screen.ts";

type Embedded = Awaited<ReturnType<typeof loadEmbedded>>;
type Weights = Embedded["recommended"][number];

interface Missing {
  engine: boolean;
  weights: Weights | undefined;
}

/** `interpreter install embedded` and `interpreter install embedded/NAME`: the command itself is the yes. */
export async function runInstall(what: string, settings: Settings): Promise<number> {
  const screen = screenFor(settings);
  const embedded = await loadEmbedded();
  const name = what.slice("embedded/".length);
  const weights = name ? weightsCalled(name, embedded) : undefined;
  const missing = missingParts(embedded, weights);
  if (!missing.engine && !missing.weights) {
    screen.output.write("Everything is installed already.\n");
    return 0;
  }
  refuseOffline(settings);
  if (!(await fetchParts(missing, embedded, screen))) return 130;
  screen.output.write(`Use it: interpreter --model ${name ? `embedded/${name}` : "PATH/TO/MODEL.gguf"}\n`);
  return 0;
}

/**
 * Before a start with a model that runs without a server: makes sure that it can. Asks the person where there is one;
 * otherwise says what to do. False when the person does not want it.
 */
export async function prepareEmbedded(model: string, settings: Settings, screen: Screen | undefined): Promise<boolean> {
  const embedded = await loadEmbedded();
  const { checkWeights, recommended, weightsNamed } = embedded;
  const name = /^embedded\//i.test(model) ? model.slice("embedded/".length) : undefined;
  const kept = name === undefined || existsSync(weightsNamed(name, process.env));
  const weights = kept ? undefined : weightsCalled(name, embedded);
  if (kept) checkWeights(embedded.weightsOf(model, process.cwd(), process.env));
  const missing = missingParts(embedded, weights);
  if (!missing.engine && !missing.weights) return true;
  refuseOffline(settings);
  if (!screen)
    throw new InputProblem(
      missing.weights ? `${model} is not downloaded yet.` : "What runs models without a server is not installed yet.",
      `Run: interpreter install ${missing.weights && recommended.includes(missing.weights) ? model : "embedded"}`,
    );
  const answer = await choose(
    {
      title: `${sentenceOf(missing, embedded)} Fetch it now?`,
      choices: [
        { label: "Yes", value: true },
        { label: "No", value: false },
      ],
      leaving: "leaves",
    },
    screen,
  );
  return answer.type === "chosen" && answer.value && fetchParts(missing, embedded, screen);
}

function missingParts({ isInstalled, engineFolder, weightsNamed }: Embedded, weights: Weights | undefined): Missing {
  const there = weights && existsSync(weightsNamed(weights.name, process.env));
  return { engine: !isInstalled(engineFolder(process.env)), weights: there ? undefined : weights };
}

/** What will be fetched, in a sentence. */
function sentenceOf({ engine, weights }: Missing, { engineSize }: Embedded): string {
  const parts = [
    ...(engine ? [`the engine (${engineSize()})`] : []),
    ...(weights ? [`${weights.name} (${bytesIn(weights.bytes)})`] : []),
  ];
  return `This needs ${parts.join(" and ")}.`;
}

/** False when it was given up. */
async function fetchParts({ engine, weights }: Missing, embedded: Embedded, screen: Screen): Promise<boolean> {
  if (engine && !(await fetchEngine(embedded, screen))) return false;
  return !weights || fetchWeights(weights, embedded, screen);
}

async function fetchEngine({ installEngine, engineFolder }: Embedded, screen: Screen): Promise<boolean> {
  const bar = createProgressBar(screen);
  const show = () => bar.show({ label: "Installing the engine" });
  const timer = setInterval(show, 250);
  show();
  try {
    const done = await cancellable(screen, async (signal) => {
      await installEngine({ folder: engineFolder(process.env), env: process.env, signal });
      return true;
    });
    bar.end();
    screen.output.write(done ? "The engine is installed.\n" : "The engine was not installed.\n");
    return done ?? false;
  } finally {
    clearInterval(timer);
    bar.end();
  }
}

async function fetchWeights(weights: Weights, { download, weightsNamed }: Embedded, screen: Screen): Promise<boolean> {
  const bar = createProgressBar(screen);
  try {
    const done = await cancellable(screen, async (signal) => {
      await download({
        weights,
        path: weightsNamed(weights.name, process.env),
        env: process.env,
        signal,
        onProgress: ({ step, done, total }) =>
          bar.show({ label: step === "checking" ? "Checking what is here" : weights.name, done, total }),
      });
      return true;
    });
    bar.end();
    screen.output.write(
      done ? `${weights.name} is downloaded.\n` : "Stopped. What was downloaded is kept: the next time it goes on.\n",
    );
    return done ?? false;
  } finally {
    bar.end();
  }
}

function weightsCalled(name: string, { recommended }: Embedded): Weights {
  const found = recommended.find((each) => each.name === name.toLowerCase());
  if (found) return found;
  const names = recommended.map((each) => each.name);
  const near = nearest(name.toLowerCase(), names);
  throw new InputProblem(
    `There is no model embedded/${name} here.`,
    near ? `Did you mean embedded/${near}?` : `Those that can be fetched: ${names.join(", ")}.`,
  );
}

function refuseOffline({ offline }: Settings): void {
  if (offline)
    throw new InputProblem(
      "--offline is on, and this would have to be downloaded.",
      "Start once without --offline, or name a model that is here.",
    );
}

/** Whether a start with these settings has to look after something first. */
export const needsEmbedded = ({ model, apiBase }: Settings): boolean =>
  model !== undefined && isEmbedded(model, apiBase, process.env);
