// Runs a clean export in a fresh folder and fresh sessions, and compares what comes of it with what was recorded.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "../../messages/index.ts";
import type { Clean, CleanBlock } from "../clean/index.ts";
import { isOutside } from "../clean/places.ts";
import { fileDifference } from "./compare-files.ts";
import { pictureDifference } from "./compare-pictures.ts";
import { type Circumstances, settled, textDifference } from "./compare-text.ts";
import { freshFolder } from "./fresh-folder.ts";

/** Fresh sessions in a folder. */
export interface Runner {
  /** The messages that come of a block. */
  run(language: string, code: string, signal: AbortSignal): Promise<Message[]>;
  close(): Promise<void>;
}

export interface VerifyRequest {
  clean: Clean;
  /** Where the conversation was held, and when it began. */
  folder: string;
  since: Date;
  open(folder: string): Runner;
  /** The export itself, where it is a program or a notebook, is run as well. */
  artefact?: Artefact;
  signal: AbortSignal;
  /** Told before each block. */
  progress?(done: number, of: number): void;
}

export type Artefact =
  /** Cells, each for the session of the notebook's language. */
  | { kind: "notebook"; language: string; cells: string[] }
  /** A file, and how it is started. */
  | {
      kind: "script";
      name: string;
      text: string;
      start(folder: string, name: string, signal: AbortSignal): Promise<Ran>;
    };

export interface Ran {
  code: number | null;
  output: string;
}

export interface Verdict {
  results: number;
  same: number;
  /** What is not the same, a sentence each. */
  differences: string[];
  /** Files that were copied into the fresh folder. */
  copied: string[];
  /** What came of running the export itself; undefined where that is the same as the blocks. */
  artefact?: { sentence: string; same: boolean };
}

export async function verify(request: VerifyRequest): Promise<Verdict> {
  const { clean, folder } = request;
  const then: Circumstances = { folder, from: request.since, to: new Date() };
  using fresh = freshFolder(folder, [...clean.inputs, ...clean.modules.flatMap((name) => [`${name}.py`, name])]);
  const here: Circumstances = { folder: fresh.path, from: new Date(), to: new Date(Date.now() + 86_400_000) };
  const runner = request.open(fresh.path);
  const differences: string[] = [];
  let [results, same] = [0, 0];
  const count = (difference: string | undefined): void => {
    results++;
    if (difference === undefined) same++;
    else differences.push(difference);
  };
  try {
    for (const [index, block] of clean.blocks.entries()) {
      request.progress?.(index, clean.blocks.length);
      const now = await runner.run(block.code.format!, block.code.content, request.signal);
      request.signal.throwIfAborted();
      const ended = now.findLast(({ status }) => status !== undefined)?.status ?? "ok";
      const name = nameOf(block, index);
      if (ended !== "ok") {
        count(`${name} failed: ${lastLine(now)}`);
        const left = clean.blocks.slice(index + 1).filter(shows).length + clean.files.length;
        results += left;
        if (left > 0)
          differences.push(`What comes after it was not run: ${left} more ${left === 1 ? "result" : "results"}.`);
        return { results, same, differences, copied: fresh.copied };
      }
      if (shows(block)) count(await blockDifference(block, now, name, then, here));
    }
  } finally {
    await runner.close();
  }
  for (const place of clean.files.filter((each) => !isOutside(each))) {
    const why = await fileDifference(join(folder, place), join(fresh.path, place), then, here);
    count(why && `${place}: ${why}.`);
  }
  const artefact = request.artefact && (await runArtefact(request, request.artefact, then));
  return { results, same, differences, copied: fresh.copied, ...(artefact && { artefact }) };
}

const shows = ({ results }: CleanBlock): boolean =>
  results.some(({ type, content }) => type === "image" || content.trim() !== "");

const nameOf = ({ code }: CleanBlock, index: number): string => {
  const line = code.content.split("\n").find((each) => each.trim() !== "" && !/^\s*(#|\/\/|--)/.test(each)) ?? "";
  return `Block ${index + 1} (${line.trim().slice(0, 40)})`;
};

async function blockDifference(
  { results }: CleanBlock,
  now: readonly Message[],
  name: string,
  then: Circumstances,
  here: Circumstances,
): Promise<string | undefined> {
  const text = textDifference(textOf(results), textOf(now), then, here);
  if (text) return `${name}: “${short(text.now)}” where “${short(text.recorded)}” was.`;
  const [before, after] = [picturesOf(results), picturesOf(now)];
  if (before.length !== after.length) return `${name}: ${after.length} pictures where there were ${before.length}.`;
  for (const [index, picture] of before.entries()) {
    const why = await pictureDifference(picture, after[index]!);
    if (why) return `${name}: its picture is another: ${why}.`;
  }
  return undefined;
}

const textOf = (messages: readonly Message[]): string =>
  messages.map(({ type, content }) => (type === "console" || type === "code" ? content : "")).join("");

const picturesOf = (messages: readonly Message[]): Buffer[] =>
  messages.filter(({ type }) => type === "image").map(({ content }) => Buffer.from(content, "base64"));

const short = (line: string): string => (line.length > 60 ? `${line.slice(0, 59)}…` : line);

const lastLine = (messages: readonly Message[]): string => short(textOf(messages).trimEnd().split("\n").at(-1) ?? "");

/** The file as it is written: it has to run to its end, leave the same files, and print what was printed. */
async function runArtefact(
  request: VerifyRequest,
  artefact: Artefact,
  then: Circumstances,
): Promise<Verdict["artefact"]> {
  const { clean, folder, signal } = request;
  using fresh = freshFolder(folder, [...clean.inputs, ...clean.modules.flatMap((name) => [`${name}.py`, name])]);
  const here: Circumstances = { folder: fresh.path, from: new Date(), to: new Date(Date.now() + 86_400_000) };
  const what = artefact.kind === "script" ? "script" : "notebook";
  let output = "";
  if (artefact.kind === "script") {
    writeFileSync(join(fresh.path, artefact.name), artefact.text);
    const ran = await artefact.start(fresh.path, artefact.name, signal);
    signal.throwIfAborted();
    output = ran.output;
    if (ran.code !== 0) {
      const last = short(output.trimEnd().split("\n").at(-1) ?? "");
      return { same: false, sentence: `Run as a file of its own, the script failed: ${last}` };
    }
  } else {
    const runner = request.open(fresh.path);
    try {
      for (const [index, cell] of artefact.cells.entries()) {
        request.progress?.(index, artefact.cells.length);
        const now = await runner.run(artefact.language, cell, signal);
        signal.throwIfAborted();
        const ended = now.findLast(({ status }) => status !== undefined)?.status ?? "ok";
        if (ended !== "ok")
          return {
            same: false,
            sentence: `Run cell by cell, the notebook failed at cell ${index + 1}: ${lastLine(now)}`,
          };
        output += textOf(now);
      }
    } finally {
      await runner.close();
    }
  }
  for (const place of clean.files.filter((each) => !isOutside(each))) {
    const why = await fileDifference(join(folder, place), join(fresh.path, place), then, here);
    if (why) return { same: false, sentence: `Run as a file of its own, the ${what} leaves another ${place}: ${why}.` };
  }
  const missing = printedBy(clean, then).find((line) => !settled(output, here).join(" ").includes(line));
  if (missing !== undefined)
    return { same: false, sentence: `Run as a file of its own, the ${what} does not print “${short(missing)}”.` };
  return { same: true, sentence: `The ${what} itself was run, too: it came to its end with the same results.` };
}

/** Lines that were printed, and not shown by a session in its own way, and that have no number in them that may be rounded. */
function printedBy({ blocks }: Clean, then: Circumstances): string[] {
  return blocks
    .filter(({ steps }) =>
      steps.every(({ needs, language, body }) => needs.length === 0 && language !== "sql" && !/^\s*%/m.test(body)),
    )
    .flatMap(({ results }) => settled(textOf(results), then))
    .filter((line) => !/\d[.,]\d|\(the time\)|\(some time\)|0x…/.test(line));
}
