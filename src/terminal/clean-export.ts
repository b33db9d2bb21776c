// A conversation reduced to what its results need, run again in a fresh folder and fresh sessions, and written with what came of that.

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import {
  type Artefact,
  type Clean,
  type ExportKind,
  loadArchive,
  loadClean,
  loadExport,
  type Runner,
  type Verdict,
} from "../conversations/index.ts";
import { Interpreter, type InterpreterOptions } from "../interpreter/index.ts";
import { findPython } from "../languages/index.ts";
import { localMachine } from "../machine/index.ts";
import type { Message } from "../messages/index.ts";
import { withoutModelKeys } from "../models/index.ts";
import { InputProblem } from "../settings/index.ts";
import { fileName, freePath } from "./export-file.ts";
import { htmlHighlighter } from "./html-colours.ts";
import { freshEnvironment, startProgram } from "./start-program.ts";

export interface CleanRequest {
  kind: ExportKind;
  messages: readonly Message[];
  title?: string;
  /** Where the conversation was held, and when it began. */
  cwd: string;
  since: Date;
  /** Where the file goes when none is named. */
  folder: string;
  path?: string;
  /** Settings that code is run with. */
  options: InterpreterOptions;
  /** With what is installed by its requirements, and nothing else. */
  freshEnv?: boolean;
  /** Whether it may be run, asked with what that means; undefined when nobody is there. */
  approve(question: string): Promise<boolean | undefined>;
  progress(words: string): void;
  signal: AbortSignal;
}

export interface CleanExport {
  /** What was written, the export first. */
  paths: string[];
  /** Everything there is to say about it, a sentence each. */
  report: string[];
  outcome: "same" | "different" | "not-run" | "nobody";
}

/** Seconds for one block, where the person has set no limit. */
const longest = 600;

export async function exportClean(request: CleanRequest): Promise<CleanExport> {
  const { kind, cwd, options, signal } = request;
  const env = withoutModelKeys(options.env ?? process.env);
  const [{ cleanConversation, verify }, { exportConversation, writeExport, escaped }, { nameOf }] = await Promise.all([
    loadClean(),
    loadExport(),
    loadArchive(),
  ]);
  const python = findPython(options.python, cwd, env)?.path;
  const place = { machine: localMachine, folder: cwd, env, ...(python && { python }), signal };
  const clean = await cleanConversation(request.messages, place, request.since);
  if (clean.blocks.length === 0)
    throw new InputProblem("No block of this conversation has a result to keep.", "Export it without --clean.");
  const title = nameOf({ messages: [...request.messages], ...(request.title && { title: request.title }) });
  const scripts = new Map(clean.blocks.map(({ code, script }) => [code.id, script]));
  const content = {
    messages: kind === "ipynb" ? inNotebook(clean, scripts) : clean.messages,
    title,
    highlight: htmlHighlighter(escaped),
    translated: ({ code }: { code: Message }) => scripts.get(code.id),
    helpers: clean.helpers,
  };
  const draft = await exportConversation(kind, content);
  const file = request.path ?? freePath(join(request.folder, fileName(title)), draft.extension);

  const refused = await whyNotRun(clean, request);
  let verdict: Verdict | undefined;
  if (!refused) {
    using environment =
      request.freshEnv && python ? await freshEnvironment(python, clean.requirements, { ...request, env }) : undefined;
    const chosen = environment?.python ?? python;
    const used = { ...options, ...(chosen && { python: chosen }) };
    verdict = await verify({
      clean,
      folder: cwd,
      since: request.since,
      open: (folder) => freshRunner(folder, used),
      ...artefactOf(kind, draft, file, chosen, env, options.timeLimit ?? longest),
      signal,
      progress: (done, of) => request.progress(`Running block ${done + 1} of ${of} in a fresh session`),
    });
  }
  const requirements = clean.requirements ? requirementsBeside(file, clean.requirements) : undefined;
  const report = [
    `${clean.kept} of ${clean.of} ${clean.of === 1 ? "block is" : "blocks are"} kept: what the results need.`,
    ...(verdict ? tell(verdict, request.freshEnv === true) : [refused!.sentence]),
    ...(requirements ? [`What has to be installed is in ${requirements.name}.`] : []),
    ...clean.remarks,
  ];
  const preface = report.join(kind === "script" ? "\n" : "\n\n");
  const pictures = kind === "md" ? { pictures: `${basename(file, extname(file))}.assets` } : {};
  const { text, beside } = await exportConversation(kind, { ...content, preface, ...pictures });
  writeExport(file, { text, beside: [...beside, ...(requirements?.there === false ? [requirements] : [])] });
  const paths = [file, ...(requirements ? [join(dirname(file), requirements.name)] : [])];
  return { paths, report, outcome: refused?.outcome ?? (isSame(verdict!) ? "same" : "different") };
}

const isSame = ({ results, same, artefact }: Verdict): boolean => results === same && artefact?.same !== false;

async function whyNotRun(
  clean: Clean,
  { approve, options }: CleanRequest,
): Promise<{ sentence: string; outcome: "not-run" | "nobody" } | undefined> {
  const not = (why: string) => ({ sentence: `It was not re-run: ${why}.`, outcome: "not-run" as const });
  if (options.machine) return not("its sessions are on another machine");
  const [outside] = clean.outside;
  if (outside) return not(`it writes ${outside}, which is outside of its folder`);
  const { kindsOf } = await import("../agent/index.ts");
  const kinds = new Set(clean.blocks.flatMap(({ code }) => [...kindsOf(code.format!, code.content)]));
  const blocks = clean.blocks.length === 1 ? "1 block" : `${clean.blocks.length} blocks`;
  const inputs = clean.inputs.length > 0 ? ` with copies of ${clean.inputs.join(", ")}` : "";
  const yes = await approve(
    `Run the ${blocks} of the clean export in a new folder${inputs}, to compare the results? (${[...kinds].join(", ")})`,
  );
  if (yes) return undefined;
  if (yes === false) return not("you did not want it");
  return { ...not("nobody was there to approve that, and -y was not given"), outcome: "nobody" };
}

/** In a notebook a block of JavaScript is a process of its own, which shows nothing by itself. */
function inNotebook({ messages }: Clean, scripts: ReadonlyMap<string | undefined, string>): Message[] {
  return messages.map((message) =>
    message.type === "code" && message.role !== "computer" && message.format === "javascript"
      ? { ...message, content: scripts.get(message.id) ?? message.content }
      : message,
  );
}

function freshRunner(folder: string, options: InterpreterOptions): Runner {
  const { messages: _m, conversation: _c, approve: _a, ask: _k, lendTerminal: _l, ...rest } = options;
  const interpreter = new Interpreter({ ...rest, cwd: folder, timeLimit: options.timeLimit ?? longest });
  return {
    run: (language, code, signal) => interpreter.computer.run(language, code, { signal }),
    close: () => interpreter.close(),
  };
}

function artefactOf(
  kind: ExportKind,
  { text, extension }: { text: string; extension: string },
  file: string,
  python: string | undefined,
  env: NodeJS.ProcessEnv,
  limit: number,
): { artefact?: Artefact } {
  if (kind === "ipynb") {
    const { cells, metadata } = JSON.parse(text) as {
      cells: NotebookCell[];
      metadata: { kernelspec: { name: string } };
    };
    const { name } = metadata.kernelspec;
    const language = name === "python3" ? "python" : name === "ir" ? "r" : `jupyter:${name}`;
    const code = cells.filter((cell) => cell.cell_type === "code").map(({ source }) => source.join(""));
    return { artefact: { kind: "notebook", language, cells: code } };
  }
  const program = kind === "script" ? programFor(extension, python) : undefined;
  if (!program) return {};
  const name = `${basename(file, extname(file))}${extension}`;
  const start = (folder: string, script: string, signal: AbortSignal) =>
    startProgram([...program, script], {
      cwd: folder,
      env,
      signal: AbortSignal.any([signal, AbortSignal.timeout(limit * 1000)]),
    });
  return { artefact: { kind: "script", name, text, start } };
}

interface NotebookCell {
  cell_type: string;
  source: string[];
}

/** How a file with this ending is started. */
function programFor(extension: string, python: string | undefined): string[] | undefined {
  if (extension === ".py") return python ? [python] : undefined;
  if (extension === ".cjs" || extension === ".mjs") return [process.execPath];
  return { ".sh": ["bash"], ".rb": ["ruby"], ".pl": ["perl"], ".R": ["Rscript"], ".lua": ["lua"], ".jl": ["julia"] }[
    extension
  ];
}

function tell({ results, same, differences, copied, artefact }: Verdict, fresh: boolean): string[] {
  const where = `Re-run in a fresh session${fresh ? " of a fresh environment" : ""}`;
  return [
    results === 0
      ? `${where}: it came to its end. There is no result to compare.`
      : `${where}: ${same} of ${results} ${results === 1 ? "result is" : "results are"} the same.`,
    ...differences,
    ...(artefact ? [artefact.sentence] : []),
    ...(copied.length > 0 ? [`Copied for that, as they are now: ${copied.join(", ")}.`] : []),
  ];
}

/** Beside the export: under another name when the person has one that says something else. */
function requirementsBeside(file: string, content: string): { name: string; content: string; there: boolean } {
  const base = basename(file, extname(file));
  for (let count = 0; ; count++) {
    const name = count === 0 ? "requirements.txt" : `${base}-requirements${count === 1 ? "" : `-${count}`}.txt`;
    const path = join(dirname(resolve(file)), name);
    const there = existsSync(path);
    if (!there || readFileSync(path, "utf8") === content) return { name, content, there };
  }
}
