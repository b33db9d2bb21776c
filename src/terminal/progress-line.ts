// A quiet line that counts the seconds while nothing else is shown, and shows what is typed for later. It is gone before
// anything else is written.

import { sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { endsLine } from "./text/ends-line.ts";
import { clip, clipStart } from "./text/width.ts";
import type { Writer } from "./writer.ts";

export interface ProgressLine extends Writer {
  /** Counts from now on, or no more. */
  count(on: boolean): void;
  /** Takes it away until there is silence again: somebody else writes on this line now. */
  hide(): void;
  /** Stands beside the seconds. */
  note: string;
}

export interface ProgressLineOptions {
  /** Whether the line may be used: not while the person is typing on it. */
  free: () => boolean;
  columns: () => number;
  typedAhead?: () => string;
}

const silence = 1_000;
/** What is typed is seen sooner. */
const pause = 250;

export function createProgressLine(
  writer: Writer,
  style: Style,
  { free, columns, typedAhead = () => "" }: ProgressLineOptions,
): ProgressLine {
  let counting: NodeJS.Timeout | undefined;
  let shown = false;
  let atLineStart = true;
  let quietSince = 0;

  function hide(): void {
    if (shown) writer.write("\r\x1b[2K");
    shown = false;
  }

  function tick(): void {
    const quiet = performance.now() - quietSince;
    const typed = typedAhead().replace(/\s*\n\s*/g, " ⏎ ");
    if (quiet < (typed ? pause : silence) || !atLineStart || !free()) return;
    const seconds = `… ${Math.floor(quiet / 1000)} s`;
    const painted = typed
      ? `${style.dim(">")} ${clipStart(sanitize(typed), columns() - 4)}`
      : style.dim(clip([seconds, line.note].filter(Boolean).join(" · "), columns() - 1));
    writer.write(`\r\x1b[2K${painted}`);
    shown = true;
  }

  const line: ProgressLine = {
    note: "",
    room: writer.room,
    hide,
    write(text) {
      if (text === "") return;
      hide();
      writer.write(text);
      atLineStart = endsLine(text);
      quietSince = performance.now();
    },
    count(on) {
      hide();
      clearInterval(counting);
      quietSince = performance.now();
      counting = on && style.colour ? setInterval(tick, pause).unref() : undefined;
    },
  };
  return line;
}
