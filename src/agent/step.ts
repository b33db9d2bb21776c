// One step: a block run in its session, told as chunks.

import type { Language, SessionEnd, Sessions } from "../languages/index.ts";
import { type Chunk, forModelType, type MimeBundle, type StepStatus } from "../messages/index.ts";
import type { Mask } from "../privacy/index.ts";
import { OutputFile } from "./output-file.ts";

export interface StepRequest {
  sessions: Sessions;
  language: Language;
  code: string;
  /** Links the console message to its code message. */
  id: string;
  /** Longer output than this is also written whole to `outputFile`. */
  maxOutput: number;
  outputFile: string;
  /** What must not be written there. */
  mask?: Mask;
  /** Seconds; undefined means no limit. */
  timeLimit?: number;
  /** Asks the person for a line of input; null means nobody can answer. */
  ask: Ask;
  /** Told in the moment in which the block ends. */
  onEnd?: () => void;
  signal: AbortSignal;
}

export type Ask = (prompt: string, hidden: boolean, signal: AbortSignal) => Promise<string | null>;

export interface StepResult {
  status: StepStatus;
  /** The beginning of what it printed, enough to tell two failures apart. */
  fingerprint: string;
  /** Lines of it in which the system refuses something, or reaches nobody. */
  complaints: string;
  /** Other machines that it is known to have contacted. */
  hosts: readonly string[];
}

const flag = { role: "computer", type: "console" } as const;
const output = { ...flag, format: "output" } as const;

export async function* runStep(request: StepRequest): AsyncGenerator<Chunk, StepResult> {
  const { id, sessions, language, code } = request;
  const started = performance.now();
  const file = new OutputFile(request.outputFile, request.maxOutput, request.mask?.stream());
  const limit = request.timeLimit === undefined ? undefined : AbortSignal.timeout(request.timeLimit * 1000);
  const stop = limit ? AbortSignal.any([request.signal, limit]) : request.signal;
  let fingerprint = "";
  let complaints = "";
  let end: SessionEnd = { type: "end", status: "error" };

  let midLine = false;

  /** By stream, the line that is not at its end: programs write one in several pieces. */
  const begun = new Map<string, string>();
  function hear(text: string, stream = "stdout"): void {
    const all = `${begun.get(stream) ?? ""}${text}`;
    const end = all.lastIndexOf("\n") + 1;
    begun.set(stream, all.slice(end).slice(-longestLine));
    const lines = all.slice(0, end);
    if (complaints.length < 10_000 && refusals.test(lines)) complaints += linesWith(refusals, lines);
  }

  function print(text: string, extras: Partial<Chunk> = {}): Chunk {
    if (text !== "") midLine = !text.endsWith("\n");
    if (fingerprint.length < 2_000) fingerprint += text.slice(0, 2_000);
    hear(text, extras.stream);
    return { ...output, content: text, ...extras, ...file.add(text) };
  }

  /** On a line of its own, whatever code printed last. */
  const apart = (text: string): string => (midLine ? `\n${text}` : text);

  let line = firstLine(code);
  yield { ...flag, start: true, id };
  yield { ...flag, format: "active_line", content: line };
  for await (const event of sessions.run(language, code, stop)) {
    if (event.type === "output") yield print(event.text, event.stream === "stdout" ? {} : { stream: event.stream });
    else if (event.type === "line") {
      if (event.line !== line) yield { ...flag, format: "active_line", content: event.line };
      line = event.line;
    } else if (event.type === "error") yield print(apart(event.traceback), { stream: "stderr" });
    else if (event.type === "display") yield* show(event.bundle, id, print);
    else if (event.type === "input") {
      const answer = await request.ask(event.prompt, event.hidden, stop).catch(() => null);
      if (answer !== null && !event.hidden) yield print(`${event.prompt}${answer}\n`, { stream: "stdin" });
      event.answer(answer);
    } else {
      end = event;
      request.onEnd?.();
    }
  }
  const status = limit?.aborted && end.status !== "ok" && end.status !== "error" ? "timeout" : end.status;
  const remark = remarkOn(status, end, request);
  if (remark) yield print(apart(`[${remark}]\n`), { stream: "stderr" });
  for (const stream of [...begun.keys()]) hear("\n", stream);
  yield { ...flag, format: "active_line", content: null };
  yield {
    ...flag,
    end: true,
    status,
    ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    duration: Math.round(performance.now() - started),
    ...(end.memory === undefined ? {} : { memory: end.memory }),
    ...file.finish(),
  };
  return { status, fingerprint, complaints, hosts: end.hosts ?? [] };
}

function remarkOn(status: StepStatus, end: SessionEnd, { language, timeLimit }: StepRequest): string | undefined {
  if (status === "timeout") return `Stopped: it ran longer than the time limit of ${timeLimit} s.`;
  if (status === "interrupted") return "Interrupted by the user.";
  if (status === "exited") return `The ${language.name} session ended: ${end.explanation}.`;
  if (status === "error" && end.exitCode) return `Exit status ${end.exitCode}.`;
  return undefined;
}

const refusals =
  /read-only file system|EROFS|permission denied|EACCES|no such file|ENOENT|operation not permitted|EPERM|no such device or address|ENXIO|value too large for defined|EOVERFLOW|cross-device link|EXDEV|network is unreachable|ENETUNREACH|name resolution|EAI_AGAIN|name or service not known|ENOTFOUND|nodename nor servname|could not (?:resolve|translate) host|connection refused|ECONNREFUSED|(?:couldn't|could not) connect to server/i;

const making = /\b(mkdir|makedirs)\b/;

/** With the line above it where that says, as in Python, that a folder was to be made. */
const longestLine = 4_000;

const linesWith = (pattern: RegExp, text: string): string =>
  text
    .slice(0, 100_000)
    .split("\n")
    .filter((line) => /[^\s~^]/.test(line))
    .filter((line, at, all) => pattern.test(line) || (making.test(line) && pattern.test(all[at + 1] ?? "")))
    .map((line) => `${line.slice(0, 1_000)}\n`)
    .join("");

const picture: Record<string, string> = { "image/png": "base64.png", "image/jpeg": "base64.jpeg" };

type Print = (text: string, extras?: Partial<Chunk>) => Chunk;

/** A displayed value: a picture is a message of its own; anything else is text, with the richer forms beside it. */
async function* show(bundle: MimeBundle, id: string, print: Print): AsyncGenerator<Chunk> {
  const mime = Object.keys(picture).find((candidate) => typeof bundle[candidate] === "string");
  const plain = typeof bundle["text/plain"] === "string" ? bundle["text/plain"] : "";
  if (mime) {
    const image = { role: "computer", type: "image", format: picture[mime]! } as const;
    yield { ...flag, end: true } as Chunk;
    yield { ...image, start: true, id } as Chunk;
    yield { ...image, content: String(bundle[mime]).replace(/\s/g, "") } as Chunk;
    yield { ...image, end: true } as Chunk;
    yield { ...flag, start: true, id } as Chunk;
    return;
  }
  const html = bundle["text/html"];
  if (typeof html === "string" && (plain === "" || /^<.*object( at 0x[0-9a-f]+)?>$/.test(plain))) {
    const page = { role: "computer", type: "code", format: "html" } as const;
    yield { ...flag, end: true } as Chunk;
    yield { ...page, start: true, id, recipient: "user" } as Chunk;
    yield { ...page, content: html } as Chunk;
    yield { ...page, end: true } as Chunk;
    yield { ...flag, start: true, id } as Chunk;
    return;
  }
  const { [forModelType]: forModel, ...shown } = bundle;
  if (typeof forModel === "string") return yield* showApart(shown, forModel, id, print);
  const text = plain === "" ? JSON.stringify(bundle) : plain;
  const rich = Object.keys(bundle).some((key) => key !== "text/plain");
  yield print(text.endsWith("\n") ? text : `${text}\n`, rich ? { bundle } : {});
}

/** The person and the model are shown different things: the value as it is, and the text without what is hidden. */
async function* showApart(bundle: MimeBundle, forModel: string, id: string, print: Print): AsyncGenerator<Chunk> {
  yield { ...flag, end: true };
  yield { ...flag, start: true, id, recipient: "user" };
  yield* show(bundle, id, print);
  yield { ...flag, end: true };
  const recipient = "assistant";
  yield { ...flag, start: true, id, recipient };
  yield { ...output, content: `${forModel}\n`, recipient };
  yield { ...flag, end: true, recipient };
  yield { ...flag, start: true, id };
}

function firstLine(code: string): number {
  const lines = code.split("\n");
  const index = lines.findIndex((line) => line.trim() !== "" && !/^\s*(#|\/\/)/.test(line));
  return index === -1 ? 1 : index + 1;
}
