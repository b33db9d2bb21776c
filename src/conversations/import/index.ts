// A Jupyter notebook as a conversation: its cells and outputs as they are in the file. Nothing is run.

import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { Message } from "../../messages/index.ts";
import { InputProblem } from "../../settings/index.ts";
import { joined, ours } from "../notebook/format.ts";
import { cellMessages } from "./cells.ts";
import { languageOf } from "./kernel.ts";
import { readNotebook } from "./read.ts";

export { openNotebook } from "./open.ts";

export interface Imported {
  messages: Message[];
  title: string;
  /** The language of its code cells. */
  language: string;
  /** One sentence for each thing that could not be taken over. */
  problems: string[];
}

export interface ImportOptions {
  /** Longer text than this is kept whole in a file, and in the message as its two ends. */
  maxOutput: number;
  /** Where a file that belongs to the conversation goes. */
  keep?(name: string, text: string): string;
}

/** What a string of text can hold. */
const largestFile = 500_000_000;

/** Throws InputProblem when the file is no notebook. */
export async function importNotebook(path: string, options: ImportOptions): Promise<Imported> {
  const { cells, metadata, problems } = readNotebook(parse(path), basename(path));
  const language = languageOf(metadata);
  const messages: Message[] = [];
  for (const [index, cell] of cells.entries())
    messages.push(...(await cellMessages(cell, { language, index, problems, ...options })));
  const { title } = Object(metadata[ours]) as { title?: unknown };
  const named = typeof title === "string" && title !== "" ? title : joined(metadata.title);
  return { messages, title: named || basename(path), language, problems };
}

function parse(path: string): unknown {
  const what = basename(path);
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new InputProblem(`There is no file ${path}.`, "Name a notebook: interpreter FILE.ipynb");
  if (file.size > largestFile)
    throw new InputProblem(
      `${what} has ${Math.round(file.size / 1e6)} MB, more than can be read.`,
      "Clear its outputs first: jupyter nbconvert --clear-output --inplace FILE.ipynb",
    );
  const handle = openSync(path, "r");
  try {
    return JSON.parse(readFileSync(handle, "utf8").replace(/^\ufeff/, ""));
  } catch (error) {
    const empty = file.size === 0 ? "it is empty" : (error as Error).message;
    throw new InputProblem(
      `${what} is not a notebook that can be read: ${empty}`,
      "A notebook is a JSON file that Jupyter has written. Is the file complete?",
    );
  } finally {
    closeSync(handle);
  }
}
