// Commands about what steps did: /effects lists it, /diff shows it line by line, /approve says when the person is asked.

import type { EffectsReport } from "../../agent/index.ts";
import { type Effects, loadDescribing } from "../../machine/index.ts";
import { InputProblem } from "../../settings/index.ts";
import { loadAskEffects, loadShowing } from "../effects/index.ts";
import { sanitize } from "../sanitize.ts";
import type { ChatControls } from "./command.ts";

export async function showEffects(chat: ChatControls, written: string): Promise<void> {
  const found = await find(chat, written);
  if (!found) return;
  const { view, print } = chat;
  const { shownRows } = await loadShowing();
  const { describeEffect: describe } = await loadDescribing();
  const [columns, rows] = [process.stdout.columns || 80, Math.max(5, (process.stdout.rows || 24) - 4)];
  for (const row of shownRows(found.effects, { columns, rows, style: view.style, describe })) print(`${row}\n`);
  for (const sentence of [...(found.effects.denied ?? []), ...found.effects.uncovered])
    print(`${view.style.yellow("!")} ${sanitize(sentence)}\n`);
  const after = found.number === undefined ? "" : ` ${found.number}`;
  print(view.style.dim(`${await became(chat, found)}/diff${after} shows the differences.\n`));
}

export async function showDiff(chat: ChatControls, written: string): Promise<void> {
  const found = await find(chat, written);
  if (!found) return;
  const { effectsText, numbered } = await loadShowing();
  const { effectsScreen } = await loadAskEffects();
  const text = await effectsText(found.effects, numbered(found.effects.files));
  const problem = await effectsScreen(chat.lines, chat.view).page(text);
  if (problem) chat.print(`${problem}\n`);
}

type Found = { effects: Effects } & Partial<Pick<EffectsReport, "number" | "decision">>;

/** What a step of this conversation did, or of another one that was made here; says so when there is none. */
async function find({ interpreter, print }: ChatControls, written: string): Promise<Found | undefined> {
  const number = written === "" ? undefined : Number(/^#?(\d+)$/.exec(written)?.[1]);
  if (number !== undefined && !number)
    throw new InputProblem(`${JSON.stringify(written)} is no step.`, "/undo list shows those there are.");
  const report = interpreter.effects(number);
  const step = report?.number ?? number;
  // What it replaced lies in the store, once it is kept.
  const files = step === undefined ? undefined : await interpreter.effectsOf(step);
  const effects = files && report ? { ...report.effects, files: files.files } : (files ?? report?.effects);
  if (effects) return { ...report, effects, ...(step !== undefined && { number: step }) };
  const none = number === undefined ? "No step has changed anything yet." : `There is no step ${number} here.`;
  print(`${none}\n`);
  return undefined;
}

async function became({ interpreter }: ChatControls, { decision, number }: Found): Promise<string> {
  if (decision === "discarded") return "It was discarded. ";
  if (number === undefined) return "";
  const step = (await interpreter.undoable()).find((each) => each.number === number);
  if (step?.expired) return `It cannot be taken back any more: ${sanitize(step.expired)}. `;
  return step?.state === "undone"
    ? `It was taken back. /redo ${number} puts it back, `
    : `/undo ${number} takes it back, `;
}

const ways = {
  code: "Each block waits for your yes.",
  effects: "Code runs at once, and what it did waits for your yes.",
  never: "Code runs without asking, and what it did is kept.",
} as const;

export function setApprove({ interpreter, print }: ChatControls, written: string): void {
  const wanted = (Object.keys(ways) as (keyof typeof ways)[]).find((each) => each === written.toLowerCase());
  if (written !== "" && !wanted)
    throw new InputProblem(
      `You are asked about code, effects, or never; not about ${JSON.stringify(sanitize(written))}.`,
      "/approve code, /approve effects, or /approve never",
    );
  if (wanted) interpreter.approveWhat = wanted;
  print(`${ways[interpreter.approveWhat]}\n`);
}
