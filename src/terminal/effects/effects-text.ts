// All that is known of a step's effects as a text for the pager: the whole list, then the differences.

import { type Effect, type Effects, loadDescribing, summaryOf } from "../../machine/index.ts";
import { oneLine } from "./effects-line.ts";
import { changeWords } from "./effects-list.ts";

/** So many are described, and so much of their differences is gathered. */
const mostDescribed = 500;
const mostText = 5_000_000;

export interface Numbered {
  /** As the person sees it in the list. */
  number: number;
  effect: Effect;
}

export const numbered = (files: readonly Effect[]): Numbered[] =>
  files.map((effect, index) => ({ number: index + 1, effect }));

export async function effectsText(effects: Effects, shown: readonly Numbered[]): Promise<string> {
  const all = shown.length === effects.files.length;
  const parts = [all ? listText(effects) : "", ...(await differences(shown))];
  return parts.filter((part) => part !== "").join("\n");
}

function listText(effects: Effects): string {
  const { files, processes, denied = [], uncovered } = effects;
  const digits = String(files.length).length;
  const lines = [
    summaryOf(effects),
    ...numbered(files).map(
      ({ number, effect }) =>
        `${String(number).padStart(digits)} ${changeWords[effect.change].padEnd(7)} ${oneLine(effect.name)}`,
    ),
    ...processes.map(({ pid, command }) => `still running: ${oneLine(command)} (${pid})`),
    ...[...denied, ...uncovered].map((sentence) => `! ${oneLine(sentence)}`),
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

async function differences(shown: readonly Numbered[]): Promise<string[]> {
  const { diffOf } = await loadDescribing();
  const parts: string[] = [];
  let length = 0;
  for (const [index, { number, effect }] of shown.entries()) {
    if (index === mostDescribed || length > mostText) {
      parts.push(`… and ${shown.length - index} more. d and a number shows one of them.\n`);
      break;
    }
    const { change, name, from, warning } = effect;
    const moved = from === undefined ? "" : `, was ${oneLine(from)}`;
    const head = `${number} ${changeWords[change]}: ${oneLine(name)}${moved}\n`;
    const part = `${head}${warning ? `! ${oneLine(warning)}\n` : ""}${diffOf(effect)}`;
    parts.push(part);
    length += part.length;
  }
  return parts;
}
