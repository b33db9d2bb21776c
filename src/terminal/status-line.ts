// The line above the prompt: which model, what was used and spent, what was done, where. What does not fit is left out, the
// least important first.

import { homedir } from "node:os";
import { sep } from "node:path";
import { cachedShare, costOf, count, type Totals } from "../models/index.ts";
import { widthOf } from "./text/width.ts";

export interface Status {
  model: string;
  totals: Totals;
  /** Of the last turn. */
  steps: number;
  seconds: number;
  /** Where code runs, when it is not here. */
  machine?: string | undefined;
  /** What makes undo possible: layer, checkpoint, no undo. */
  protection?: string | undefined;
  /** Where there is none: `no sandbox`. */
  sandbox?: string | undefined;
  folder: string;
}

export function statusLine(status: Status, columns: number): string {
  const cached = cachedShare(status.totals);
  // In the order in which they stand; the number says how soon a part is left out.
  const parts: [text: string, goes: number][] = [
    [nameOf(status.model), 3],
    [tokensIn(status.totals), 8],
    [cached > 0 ? `${cached} % cached` : "", 5],
    [costOf(status.totals), 7],
    [status.steps === 0 ? "" : status.steps === 1 ? "1 step" : `${status.steps} steps`, 4],
    [`${status.seconds < 10 ? status.seconds.toFixed(1) : Math.round(status.seconds)} s`, 6],
    [status.machine ?? "", 2],
    [status.protection ?? "", status.protection === "no undo" ? 9 : 1.5],
    [status.sandbox ?? "", 8.5],
    [homeless(status.folder), 1],
  ];
  const shown = parts.filter(([text]) => text !== "");
  const line = () => shown.map(([text]) => text).join(" · ");
  while (shown.length > 1 && widthOf(line()) > columns - 1) {
    const least = shown.reduce((a, b) => (b[1] < a[1] ? b : a));
    shown.splice(shown.indexOf(least), 1);
  }
  return line();
}

/** The model's own name; who has it was chosen once. */
const nameOf = (model: string): string => model.split(/[/\\]/).at(-1)!;

const tokensIn = ({ inputTokens, outputTokens }: Totals): string => `${count(inputTokens + outputTokens)} tokens`;

/** ~/work instead of the whole path. */
function homeless(folder: string): string {
  const home = homedir();
  return folder === home || folder.startsWith(home + sep) ? `~${folder.slice(home.length)}` : folder;
}
