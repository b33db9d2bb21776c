// What Tab offers, and the list it is chosen from.

import type { Style } from "../style.ts";
import { clip, widthOf } from "../text/width.ts";

export interface Match {
  /** What is put in. */
  text: string;
  /** What more there is to know, shown faintly beside it. */
  note?: string;
}

export interface Offer {
  matches: readonly Match[];
  /** The part before the cursor that a match replaces. */
  replaced: string;
}

export type Complete = (before: string) => Promise<Offer>;

/** The list is never higher. */
const highest = 8;

export class CompletionMenu {
  readonly offer: Offer;
  #at = 0;

  constructor(offer: Offer) {
    this.offer = offer;
  }

  get chosen(): Match {
    return this.offer.matches[this.#at]!;
  }

  move(by: number): void {
    const { length } = this.offer.matches;
    this.#at = (this.#at + by + length) % length;
  }

  /** No more rows than `most`, none wider than the screen. */
  rows(columns: number, most: number, style: Style): string[] {
    const { matches } = this.offer;
    const room = Math.max(1, Math.min(highest, most));
    const listed = matches.length > room ? Math.max(1, room - 1) : matches.length;
    const first = Math.max(0, Math.min(this.#at - Math.floor(listed / 2), matches.length - listed));
    const shown = matches.slice(first, first + listed);
    const labels = shown.map(({ text }) => clip(safe(text.trimEnd()), Math.max(1, columns - 4)));
    const widest = Math.max(...labels.map(widthOf));
    const rows = shown.map(({ note = "" }, index) => {
      const label = labels[index]!;
      const left = columns - 3 - widest - 2;
      const beside = note !== "" && left >= 10 ? " ".repeat(widest - widthOf(label) + 2) + clip(safe(note), left) : "";
      return first + index === this.#at
        ? `${style.cyan(`❯ ${label}`)}${style.dim(beside)}`
        : `  ${label}${style.dim(beside)}`;
    });
    if (listed < matches.length && room > 1)
      rows.push(style.dim(clip(`  ${this.#at + 1} of ${matches.length}`, columns - 1)));
    return rows;
  }
}

/** The name of a file can hold anything. */
const safe = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, "\ufffd");

/** What all of them begin with. */
export function commonStart(matches: readonly Match[]): string {
  let common = matches[0]?.text ?? "";
  for (const { text } of matches) while (!text.startsWith(common)) common = common.slice(0, -1);
  return common.isWellFormed() ? common : common.slice(0, -1);
}
