// `interpreter export`: a conversation, or a notebook, as a file of another kind; with --clean, run again and compared.

import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type ExportKind,
  latestConversation,
  loadArchive,
  loadConversation,
  loadImport,
} from "../conversations/index.ts";
import type { Message } from "../messages/index.ts";
import { InputProblem, places, type Settings } from "../settings/index.ts";
import type { CleanExport } from "./clean-export.ts";
import { exitCodes } from "./exit-codes.ts";
import { exportToFile, kindOf } from "./export-file.ts";
import { interruptTwice } from "./follow.ts";
import { LineReader } from "./line-reader.ts";
import { sanitize } from "./sanitize.ts";
import { openScreen, screenFor } from "./screen.ts";
import { askYesNo } from "./yes-no.ts";

interface Source {
  messages: Message[];
  title?: string;
  cwd: string;
  since: Date;
}

export async function runExport(written: string | undefined, settings: Settings): Promise<number> {
  const source = await findSource(written);
  if (source.messages.length === 0) throw new InputProblem("There is nothing in it to export.");
  const path = settings.output === undefined ? undefined : resolve(settings.output);
  const kind = (settings.format as ExportKind | undefined) ?? kindOf(path);
  const place = { folder: process.cwd(), ...(path && { path }) };
  if (!settings.clean) {
    return print(`Written: ${await exportToFile({ ...source, kind, ...place })}`);
  }
  const stop = new AbortController();
  const interrupt = interruptTwice(() => stop.abort());
  process.on("SIGINT", interrupt);
  const { output, style, plain } = screenFor(settings);
  const { exportClean } = await import("./clean-export.ts");
  const said = (words: string): void => {
    if (!plain) output.write(`\r\x1b[2K${words && style.dim(`… ${words}`)}`);
  };
  try {
    const made = await exportClean({
      ...source,
      ...place,
      kind,
      options: runnable(settings),
      ...(settings.freshEnv && { freshEnv: true }),
      approve: (question) => approve(question, settings, stop.signal),
      progress: said,
      signal: stop.signal,
    });
    said("");
    return tell(made);
  } catch (error) {
    said("");
    if (!stop.signal.aborted) throw error;
    print("Stopped. Nothing was written.");
    return exitCodes.interrupted;
  } finally {
    process.off("SIGINT", interrupt);
  }
}

/** What of the settings says how code is run. */
export const runnable = ({ python, machine, timeLimit, maxOutput, customLanguages }: Settings) => ({
  maxOutput,
  ...(python && { python }),
  ...(machine && { machine }),
  ...(timeLimit !== undefined && { timeLimit }),
  ...(customLanguages && { customLanguages }),
});

async function findSource(written: string | undefined): Promise<Source> {
  const { conversations } = places();
  if (written && /\.ipynb$/i.test(written)) {
    const { importNotebook } = await loadImport();
    const { messages, title, problems } = await importNotebook(resolve(written), {
      maxOutput: Number.POSITIVE_INFINITY,
    });
    for (const problem of problems) process.stderr.write(`${sanitize(problem)}\n`);
    return { messages, title, cwd: process.cwd(), since: statSync(written).birthtime };
  }
  const { findConversation } = await loadArchive();
  const found = written
    ? loadConversation(join(conversations, findConversation(conversations, written)))
    : latestConversation(conversations, process.cwd());
  if (!found)
    throw new InputProblem(
      written ? `There is nothing in ${written}.` : "There is no conversation in this folder to export.",
      "interpreter conversations lists them all; name one: interpreter export ID",
    );
  for (const problem of found.problems) process.stderr.write(`${sanitize(problem)}\n`);
  const { messages, title, header } = found;
  return { messages, ...(title && { title }), cwd: header.cwd || process.cwd(), since: new Date(header.created || 0) };
}

/** Running code again is running code: asked, unless -y. */
async function approve(question: string, settings: Settings, signal: AbortSignal): Promise<boolean | undefined> {
  if (settings.autoRun) return true;
  const screen = openScreen(settings);
  if (!screen) return undefined;
  const lines = new LineReader(screen.input, screen.output, { plain: screen.plain });
  const stop = new AbortController();
  lines.onInterrupt = () => stop.abort();
  try {
    return await askYesNo(lines, sanitize(question), { signal: AbortSignal.any([signal, stop.signal]), more: ["run"] });
  } finally {
    lines.close();
  }
}

/** What came of it, and how the program ends. */
function tell({ paths, report, outcome }: CleanExport): number {
  print([...paths.map((path) => `Written: ${path}`), ...report].join("\n"));
  if (outcome === "nobody") return exitCodes.nobody;
  return outcome === "different" ? exitCodes.failed : 0;
}

function print(text: string): number {
  process.stdout.write(`${sanitize(text)}\n`);
  return 0;
}
