// `interpreter models`: which models are known, what they cost and can do, and which could be used right now.

import { type KnownModel, loadModelList, type ModelFacts } from "../models/index.ts";
import { InputProblem, type Settings } from "../settings/index.ts";
import { createStyle, type Style, wantsColour } from "./style.ts";
import { clip, widthOf } from "./text/width.ts";
import { createWriter } from "./writer.ts";

/** The words after `models`. */
export async function runModels(words: readonly string[], settings: Settings): Promise<number> {
  const { listModels, refreshCatalogue } = await loadModelList();
  if (settings.refresh) await refresh(refreshCatalogue, settings);
  const search = words.join(" ").trim();
  if (settings.refresh && !search) return 0;
  const models = await listModels({
    search,
    env: process.env,
    cwd: process.cwd(),
    offline: settings.offline ?? false,
  });
  if (search && models.length === 0)
    throw new InputProblem(`No model that is known has ${JSON.stringify(search)} in its name.`, unlisted);
  const writer = createWriter(process.stdout);
  for (const line of textOf(models, search, settings)) {
    writer.write(line);
    await writer.room();
  }
  return 0;
}

const unlisted = "A model that is not listed can be used all the same: --model PROVIDER/NAME.";

function* textOf(models: readonly KnownModel[], search: string, settings: Settings): Generator<string> {
  if (settings.json) return yield `${JSON.stringify(models.map(forPrograms), null, 1)}\n`;
  const shown = search ? models : models.filter(({ usable }) => usable);
  if (!process.stdout.isTTY && !settings.plain) {
    if (shown.length === 0) process.stderr.write(nothingUsable);
    for (const model of shown) yield `${fieldsOf(model).join("\t")}\n`;
    return;
  }
  const style = createStyle(wantsColour(process.stdout, settings.plain ?? false, process.env));
  yield* table(search ? shown : withoutMost(shown), process.stdout.columns || 100, style);
  if (!search) yield* summary(models, shown, style);
  else yield style.dim(`${shown.some(({ usable }) => usable) ? `${mark} could be used now. ` : ""}${legend}\n`);
}

const nothingUsable = "No key is known, and no model server answers here: nothing could be used right now.\n";
const mark = "*";
const legend = "Prices: dollars for a million tokens, read/written.";

/** Models of one provider that are shown when nobody searched for them. */
const most = 25;

function withoutMost(models: readonly KnownModel[]): KnownModel[] {
  const counts = new Map<string, number>();
  return models.filter(({ label }) => {
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return count <= most;
  });
}

/** In one line each where there is room; a name that is longer than that has a line of its own. */
export function* table(models: readonly KnownModel[], columns: number, style: Style): Generator<string> {
  const rows = models.map((model) => ({ model, cells: cellsOf(model) }));
  const widths = [0, 1, 2].map((cell) => Math.max(0, ...rows.map(({ cells }) => widthOf(cells[cell]!))));
  const [longest = 0, windowWidth = 0, priceWidth = 0] = widths;
  const room = columns - (2 + windowWidth + priceWidth + 6 + "sees tools thinks".length);
  const idWidth = room < 20 ? 0 : Math.min(longest, room);
  for (const { model, cells } of rows) {
    const [id = "", window = "", price = "", abilities = ""] = cells;
    const sign = model.usable ? style.green(mark) : " ";
    if (widthOf(id) > idWidth) {
      yield `${sign} ${clip(id, columns - 2)}\n`;
      yield `${style.dim(`    ${clip([window, price, abilities].filter(Boolean).join(", "), columns - 4)}`)}\n`;
    } else {
      const rest = [window.padStart(windowWidth), price.padEnd(priceWidth), abilities].join("  ");
      yield `${sign} ${id.padEnd(idWidth)}  ${style.dim(rest.trimEnd())}\n`;
    }
  }
}

const cellsOf = ({ id, facts }: KnownModel): string[] => [
  id,
  facts.contextWindow === undefined ? "" : tokens(facts.contextWindow),
  priceOf(facts),
  abilitiesOf(facts).join(" "),
];

/** 128k, 1M: how much it reads. */
function tokens(count: number): string {
  if (count >= 1_000_000) return `${Number((count / 1_000_000).toFixed(1))}M`;
  return count >= 1_000 ? `${Math.round(count / 1_000)}k` : String(count);
}

function priceOf({ prices }: ModelFacts): string {
  if (!prices) return "price unknown";
  if (prices.input === 0 && prices.output === 0) return "free";
  return `$${prices.input}/$${prices.output}`;
}

const abilitiesOf = ({ vision, tools, reasoning }: ModelFacts): string[] => [
  ...(vision ? ["sees"] : []),
  ...(tools ? ["tools"] : []),
  ...(reasoning ? ["thinks"] : []),
];

/** For a pipe: name, whether it could be used, window, dollars in and out, abilities. */
const fieldsOf = ({ id, facts, usable }: KnownModel): string[] => [
  id,
  usable ? "usable" : "",
  String(facts.contextWindow ?? ""),
  String(facts.prices?.input ?? ""),
  String(facts.prices?.output ?? ""),
  abilitiesOf(facts).join(","),
];

const forPrograms = ({ id, facts, usable }: KnownModel) => ({ model: id, usable, ...facts });

/** How many there are where, and how to find them. */
function* summary(all: readonly KnownModel[], usable: readonly KnownModel[], style: Style): Generator<string> {
  if (usable.length === 0) yield nothingUsable;
  const left = countsOf(usable).filter(([, count]) => count > most);
  for (const [name, count] of left)
    yield style.dim(`… and ${count - most} more of ${name}: interpreter models ${name}\n`);
  const counts = countsOf(all);
  const largest = counts.slice(0, 8).map(([name, count]) => `${name} ${count}`);
  yield `\n${all.length} models of ${counts.length} providers are known: ${largest.join(", ")} …\n`;
  yield `Search them: interpreter models WORD. ${legend}\n`;
}

function countsOf(models: readonly KnownModel[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { id } of models) {
    const name = id.slice(0, id.indexOf("/"));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

type Refresh = Awaited<ReturnType<typeof loadModelList>>["refreshCatalogue"];

async function refresh(refreshCatalogue: Refresh, { plain }: Settings): Promise<void> {
  const live = process.stderr.isTTY === true && !plain;
  const clear = live ? "\r\x1b[2K" : "";
  try {
    const { providers, models, path } = await refreshCatalogue(process.env, (received) => {
      if (live) process.stderr.write(`${clear}Fetching the catalogue: ${(received / 1e6).toFixed(1)} MB`);
    });
    process.stderr.write(`${clear}Fetched: ${models} models of ${providers} providers, kept in ${path}\n`);
  } catch (error) {
    process.stderr.write(clear);
    throw error;
  }
}
