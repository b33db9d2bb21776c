// What became of a step's effects, in a line or a few: kept, kept in part or discarded, and what could not be done.

import type { EffectsReport } from "../../agent/index.ts";
import { countsOf, countsText, summaryOf } from "../../machine/index.ts";
import { sanitize } from "../sanitize.ts";
import type { Style } from "../style.ts";

export interface LineOptions {
  style: Style;
  /** How the person takes a step back from where they are: /undo, or a command of the shell. */
  undo: string;
}

const mostNamed = 3;

/** Each ends with a line break; none when there is nothing to say. */
export function* effectsLines(report: EffectsReport, { style, undo }: LineOptions): Generator<string> {
  const { effects, decision, number, problems } = report;
  const what = sanitize(summaryOf(effects));
  if (decision === "discarded")
    yield `${style.yellow("Discarded:")} ${what || "nothing was changed"}${asBefore(report)}\n`;
  else if (decision === "some")
    yield `${style.yellow("Kept only")} ${keptInPart(report)}${style.dim(back(undo, number))}\n`;
  else if (what !== "") yield style.dim(`✓ ${what}${back(undo, number)}\n`);
  if (decision !== "discarded") yield* running(effects.processes, style);
  for (const { name, warning } of effects.files) if (warning) yield warn(`${name}: ${warning}`, style);
  for (const sentence of effects.denied ?? []) yield warn(sentence, style);
  for (const sentence of [...effects.uncovered, ...problems]) yield warn(sentence, style);
}

function* running(programs: EffectsReport["effects"]["processes"], style: Style): Generator<string> {
  for (const { pid, command } of programs.slice(0, mostNamed))
    yield style.dim(`  still running: ${oneLine(command)} (${pid})\n`);
  const left = programs.length - mostNamed;
  if (left > 0) yield style.dim(`  and ${left} more\n`);
}

/** Said where it is so. */
const asBefore = ({ effects: { files }, problems }: EffectsReport): string =>
  files.length === 0 || problems.length > 0 ? "" : ". Files are as they were before the block.";

const back = (undo: string, number: number | undefined): string =>
  number === undefined ? "" : ` · ${undo} ${number} takes it back`;

/** b.txt (1 file new) · discarded 2 files new. */
function keptInPart({ effects, kept = [] }: EffectsReport): string {
  const paths = new Set(kept);
  const [stay, go] = [true, false].map((wanted) => effects.files.filter(({ path }) => paths.has(path) === wanted));
  const names = stay!.slice(0, mostNamed).map(({ name }) => oneLine(name));
  const left = stay!.length - mostNamed;
  const named = `${names.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  const counted = stay!.length === 0 ? "nothing" : `${named} (${countsText(countsOf(stay!))})`;
  return `${counted} · discarded ${countsText(countsOf(go!))}`;
}

const warn = (sentence: string, style: Style): string => `${style.yellow("!")} ${oneLine(sentence)}\n`;

export const oneLine = (text: string): string => sanitize(text).replace(/\s+/g, " ");
