// Compares what came of a cell on both sides, after taking out what differs from run to run anyway.

import type { Outcome } from "./outcome.ts";
import { reasonFor } from "./reasons.ts";

export interface Difference {
  cell: number;
  code: string;
  /** What differs. */
  aspect: "stdout" | "stderr" | "shown" | "text" | "error";
  ours: string;
  theirs: string;
  /** The name of a known difference, explained in docs/conformance.md; undefined for one that nobody has explained. */
  reason?: string;
}

export function compare(code: string, cell: number, ours: Outcome, theirs: Outcome): Difference[] {
  const found: Difference[] = [];
  const check = (aspect: Difference["aspect"], mine: string, other: string) => {
    if (mine === other) return;
    const difference = { cell, code, aspect, ours: mine, theirs: other };
    const reason = reasonFor(difference, ours, theirs);
    found.push(reason === undefined ? difference : { ...difference, reason });
  };
  check("error", ours.error ?? "none", theirs.error ?? "none");
  check("stdout", steady(ours.stdout), steady(theirs.stdout));
  check("stderr", steady(ours.stderr), steady(theirs.stderr));
  check("shown", mimes(ours), mimes(theirs));
  for (const [index, shown] of theirs.shown.entries()) {
    const mine = ours.shown[index];
    if (shown.text !== undefined && mine?.text !== undefined)
      check("text", unspaced(steady(mine.text)), unspaced(steady(shown.text)));
  }
  return found;
}

function mimes({ shown }: Outcome): string {
  return shown.map((each) => each.mimes.join(" ")).join(", ");
}

/** Without addresses, measured times, temporary names, colours, and what a carriage return has overwritten. */
function steady(text: string): string {
  return (
    text
      .replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, "")
      .replaceAll("\r\n", "\n")
      .replaceAll(/[^\n]*\r(?!\n)/g, "")
      .replaceAll(/\b0x[0-9a-fA-F]{6,}\b/g, "0x…")
      .replaceAll(/\S*ipykernel_\d+\/\d+\.py|<block \d+>|<ipython-input-[^>]*>/g, "<block>")
      .replaceAll(/\[\d\d:\d\d<[^\]]*\]/g, "[time]")
      .replaceAll(/(?<![\w.])\d+(\.\d+)?(e[+-]?\d+)? ?(ns|µs|μs|us|ms|s|min)\b/g, "time")
      // How the measured time was spent, and how often a loop was run to measure it.
      .replaceAll(/^CPU times: .*\n/gm, "")
      .replaceAll(/of time, [\d,]+ loops?|[\d,]+ loops? each/g, "loops")
  );
}

/** How a value is broken into lines is nobody's promise. */
function unspaced(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
