// How far something is: one line that is painted again, with a bar, the speed and how long it will take. Where nothing can
// be painted over, a line now and then.

import { bytesIn } from "../models/index.ts";
import type { Screen } from "./screen.ts";

export interface Progress {
  /** What is going on: "Downloading". */
  label: string;
  /** Bytes; without a total only the time is shown. */
  done?: number;
  total?: number;
}

export interface ProgressBar {
  show(progress: Progress): void;
  /** Takes the line away. */
  end(): void;
}

/** Milliseconds between two paintings, and what the speed is measured over. */
const paintEvery = 100;
const measured = 5_000;
/** Where nothing is painted over: percent between two lines. */
const plainStep = 10;

export function createProgressBar({ output, style, plain }: Pick<Screen, "output" | "style" | "plain">): ProgressBar {
  const began = performance.now();
  const samples: { at: number; done: number }[] = [];
  let paintedAt = Number.NEGATIVE_INFINITY;
  let last = "";

  function speed(done: number): number {
    const now = performance.now();
    if ((samples.at(-1)?.done ?? 0) > done) samples.length = 0;
    samples.push({ at: now, done });
    while (samples.length > 2 && now - samples[0]!.at > measured) samples.shift();
    const first = samples[0]!;
    return now - first.at < 500 ? 0 : ((done - first.done) / (now - first.at)) * 1_000;
  }

  function paint({ label, done = 0, total = 0 }: Progress): void {
    const rate = speed(done);
    const now = performance.now();
    if (now - paintedAt < paintEvery && label === last) return;
    paintedAt = now;
    last = label;
    const seconds = Math.floor((now - began) / 1_000);
    const line = total > 0 ? bar(label, done, total, rate, (output.columns || 80) - 1) : `${label} … ${seconds} s`;
    output.write(`\r\x1b[2K${style.dim(line.slice(0, (output.columns || 80) - 1))}`);
  }

  function print({ label, done = 0, total = 0 }: Progress): void {
    const percent = total > 0 ? Math.floor(((done / total) * 100) / plainStep) * plainStep : 0;
    const line = total > 0 ? `${label}: ${percent} % of ${bytesIn(total)}` : `${label} …`;
    if (line !== last) output.write(`${line}\n`);
    last = line;
  }

  return {
    show: plain ? print : paint,
    end() {
      if (!plain && last !== "") output.write("\r\x1b[2K");
    },
  };
}

/** The most important things first: what does not fit is left out from the end. */
function bar(label: string, done: number, total: number, rate: number, width: number): string {
  const part = Math.min(1, done / total);
  const percent = `${String(Math.floor(part * 100)).padStart(3)} %`;
  const more = [
    `${bytesIn(done)} of ${bytesIn(total)}`,
    ...(rate > 0 ? [timeIn((total - done) / rate), `${bytesIn(rate)}/s`] : []),
  ];
  const least = 10;
  let text = `${label} ${percent}`;
  for (const piece of more) if (text.length + piece.length + 2 + least < width) text += `  ${piece}`;
  const cells = Math.min(30, width - text.length - 1);
  if (cells < 5) return text;
  const full = Math.round(part * cells);
  return `${"█".repeat(full)}${"░".repeat(cells - full)} ${text}`;
}

function timeIn(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}
