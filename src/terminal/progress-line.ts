// A quiet line that counts the seconds while nothing else is shown. It is gone before anything else is written.

import type { Style } from "./style.ts";
import type { Writer } from "./writer.ts";

export interface ProgressLine extends Writer {
  /** Counts from now on, or no more. */
  count(on: boolean): void;
  /** Stands beside the seconds. */
  note: string;
}

const silence = 1_000;

/** `free` says whether the line may be used: not while the person is typing on it. */
export function createProgressLine(writer: Writer, style: Style, free: () => boolean): ProgressLine {
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
    if (quiet < silence || !atLineStart || !free()) return;
    const seconds = `… ${Math.floor(quiet / 1000)} s`;
    writer.write(`\r\x1b[2K${style.dim([seconds, line.note].filter(Boolean).join(" · "))}`);
    shown = true;
  }

  const line: ProgressLine = {
    note: "",
    room: writer.room,
    write(text) {
      if (text === "") return;
      hide();
      writer.write(text);
      atLineStart = text.endsWith("\n");
      quietSince = performance.now();
    },
    count(on) {
      hide();
      clearInterval(counting);
      quietSince = performance.now();
      counting = on && style.colour ? setInterval(tick, silence / 4).unref() : undefined;
    },
  };
  return line;
}
