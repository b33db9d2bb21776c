// The question after a block has run: what it did, on one screen, and whether that is kept, discarded, or kept in part.

import type { EffectsDecision, EffectsQuestion } from "../../agent/index.ts";
import { countsOf, countsText, type Effect, type Effects, loadDescribing } from "../../machine/index.ts";
import type { LineReader } from "../line-reader.ts";
import { hasUnicode, inPlainSigns } from "../plain-signs.ts";
import { sanitize } from "../sanitize.ts";
import type { Style } from "../style.ts";
import { foldWords } from "../text/fold-words.ts";
import { paintedWidth } from "../text/width.ts";
import type { View } from "../view.ts";
import { saysNo } from "../yes-no.ts";
import { chooseEffects } from "./choose-effects.ts";
import { effectsRows } from "./effects-list.ts";
import { effectsText, numbered } from "./effects-text.ts";
import { type EffectsAnswer, readEffectsAnswer } from "./read-effects-answer.ts";

export interface EffectsScreen {
  lines: LineReader;
  style: Style;
  print(text: string): void;
  /** Ends the line that is being shown. */
  settle(): void;
  columns(): number;
  rows(): number;
  /** Shows a long text so that a person can look through it; says what went wrong, if anything did. */
  page(text: string): Promise<string | undefined>;
}

export const effectsScreen = (
  lines: LineReader,
  view: Pick<View, "style" | "live" | "print" | "settle">,
  output: NodeJS.WriteStream = process.stdout,
): EffectsScreen => ({
  lines,
  style: view.style,
  print: view.print,
  settle: view.settle,
  columns: () => output.columns || 80,
  rows: () => output.rows || 24,
  page: async (text) => {
    if (!view.live) {
      view.print(sanitize(text));
      return undefined;
    }
    const { showInPager } = await import("../pager.ts");
    const resume = lines.suspend();
    return showInPager(hasUnicode(process.env) ? text : inPlainSigns(text), process.env).finally(resume);
  },
});

export async function askEffects(
  question: EffectsQuestion,
  screen: EffectsScreen,
  signal: AbortSignal,
): Promise<EffectsDecision> {
  const { lines, style, print } = screen;
  screen.settle();
  const { describeEffect } = await loadDescribing();
  const columns = Math.max(20, screen.columns());
  const letters = columns < 60 ? "y n d s a ?:" : "y n d s a ?, or what to change:";
  const prompt = `${style.bold("Keep?")} ${style.dim(letters)} `;
  // The prompt, what is typed, and the row that a terminal may scroll away belong to the screen, too.
  const rows = Math.max(4, screen.rows() - Math.ceil(paintedWidth(prompt) / columns) - 1);
  const list = effectsRows(question, { columns, rows, style, describe: describeEffect });
  print(`${list.join("\n")}\n`);
  const say = (text: string): void => print(style.dim(`${foldWords(sanitize(text), columns - 1)}\n`));
  for (;;) {
    const answer = await lines.line(prompt, { signal });
    if (answer === undefined) return { type: "discard" };
    const decision = await follow(readEffectsAnswer(answer), question, screen, signal, say);
    if (decision) return decision;
  }
}

const help =
  "y keeps all of it. n discards it; a sentence instead also tells the model what to do. d shows all of it with the differences, d3 only number 3. s 1 3-5 keeps only these numbers, s *.csv only these names. a keeps it and asks no more in this conversation.";

async function follow(
  answer: EffectsAnswer | undefined,
  { effects }: EffectsQuestion,
  screen: EffectsScreen,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<EffectsDecision | undefined> {
  switch (answer?.type) {
    case "keep":
      return { type: "keep" };
    case "discard":
      return answer.words === undefined ? { type: "discard" } : { type: "discard", words: answer.words };
    case "always":
      say("From now on, what code does is kept without asking. /approve effects asks again.");
      return { type: "always" };
    case "show":
      await show(answer.which, effects, screen, say);
      return undefined;
    case "some":
      return keepSome(answer.which, effects, screen, signal, say);
    default:
      say(help);
      return undefined;
  }
}

async function show(
  which: string | undefined,
  effects: Effects,
  screen: EffectsScreen,
  say: (text: string) => void,
): Promise<void> {
  const { files } = effects;
  const chosen = which === undefined ? files : await chooseEffects(which, files);
  if (typeof chosen === "string") return say(chosen);
  const wanted = new Set(chosen);
  const shown = numbered(files).filter(({ effect }) => wanted.has(effect));
  const problem = await screen.page(await effectsText(effects, shown));
  if (problem) say(problem);
}

const whichHelp =
  "Numbers (1 3-5) or names (data/ *.csv) keep these and discard the rest; all keeps everything. d shows all of it, d3 only number 3. n, or Enter alone, goes back.";

/** Undefined when none are chosen after all. */
async function keepSome(
  first: string | undefined,
  effects: Effects,
  screen: EffectsScreen,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<EffectsDecision | undefined> {
  const { lines, style } = screen;
  const { files } = effects;
  const prompt = `${style.bold("Keep which?")} ${style.dim("1 3-5, or names:")} `;
  for (let written = first; ; written = undefined) {
    written ??= await lines.line(prompt, { signal });
    if (written === undefined) return { type: "discard" };
    if (written.trim() === "") return undefined;
    const chosen = await readWhich(written, files);
    if (chosen === "back") return undefined;
    if (chosen === "help") say(whichHelp);
    else if ("problem" in chosen) say(`${chosen.problem} ${whichHelp}`);
    else if ("show" in chosen) await show(chosen.show, effects, screen, say);
    else if (chosen.effects.length === files.length) return { type: "keep" };
    else {
      const rest = files.filter((effect) => !chosen.effects.includes(effect));
      say(`Keeps ${countsText(countsOf(chosen.effects))}, and discards ${countsText(countsOf(rest))}.`);
      return { type: "keep", only: chosen.effects.map(({ path }) => path) };
    }
  }
}

type Which = "back" | "help" | { problem: string } | { show: string | undefined } | { effects: readonly Effect[] };

/** What is called so comes first; then what the letters of the question before mean. */
async function readWhich(written: string, files: readonly Effect[]): Promise<Which> {
  const chosen = await chooseEffects(written, files);
  if (typeof chosen !== "string") return { effects: chosen };
  const text = written.trim();
  const answer = readEffectsAnswer(text);
  if (answer?.type === "some" && answer.which !== undefined) {
    const again = await chooseEffects(answer.which, files);
    return typeof again === "string" ? { problem: again } : { effects: again };
  }
  if (answer?.type === "show") return { show: answer.which };
  if (/^(?:all|all of it|everything|keep all|keep everything)$/i.test(text)) return { effects: files };
  if (/^(?:none|nothing|back|q)$/i.test(text) || saysNo(text)) return "back";
  // One letter or a yes says nothing here: what would is said instead.
  return answer && answer.type !== "discard" ? "help" : { problem: chosen };
}
