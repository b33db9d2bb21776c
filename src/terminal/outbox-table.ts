// What was sent, as lines: a table for a person, fields between tabs or JSON for a program, and one request as a page.

import { bytes, isOnThisMachine } from "../machine/index.ts";
import type { Outboxed, SentRequest } from "../privacy/index.ts";
import { when } from "./conversation-table.ts";
import { sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { clip } from "./text/width.ts";

export function* outboxTable(requests: readonly SentRequest[], columns: number, style: Style): Generator<string> {
  const width = String(requests.at(-1)?.number ?? 1).length;
  for (const request of requests) {
    const { number, at, bytes: size, masked, model, to, reply } = request;
    const start = String(number).padStart(width);
    const back = reply ? `${bytes(reply.got).padStart(6)} back in ${seconds(reply.ms)}` : "no end seen";
    const facts = `  ${when(new Date(at))}  ${bytes(size).padStart(6)} sent, ${back}  `;
    const failed = reply?.status !== undefined && reply.status >= 400 ? ` refused (${reply.status})` : "";
    const hidden = masked > 0 ? ` · ${masked} masked` : "";
    const rest = `${sanitize(model)} at ${hostOf(to)}${failed}${hidden}`;
    yield `${style.cyan(start)}${style.dim(facts)}${clip(rest, Math.max(10, columns - 1 - width - facts.length))}\n`;
  }
}

export const outboxFields = ({ number, at, bytes: size, masked, model, to, reply }: SentRequest): string =>
  `${[number, at, model, to, size, reply?.got ?? "", reply?.ms ?? "", reply?.status ?? "", masked].map(field).join("\t")}\n`;

const field = (value: string | number): string => sanitize(String(value)).replace(/\s/g, " ");

export const outboxJson = ({ id: _, ...request }: SentRequest): string => `${JSON.stringify(request)}\n`;

/** One request whole: facts, and what was sent, laid out to be read. */
export function requestPage(request: SentRequest, body: string): string {
  const { number, at, to, model, bytes: size, masked, reply } = request;
  const rows = [
    ["request", String(number)],
    ["sent", `${at}, ${size} bytes`],
    ["to", `${to}${isOnThisMachine(to) ? " (this machine)" : ""}`],
    ["model", model],
    [
      "masked",
      masked === 0 ? "nothing" : `${masked} ${masked === 1 ? "secret or hidden value" : "secrets or hidden values"}`,
    ],
    ["back", reply ? `${reply.status ?? "no answer"}, ${reply.got} bytes in ${seconds(reply.ms)}` : "no end seen"],
  ];
  return `${rows.map(([name, value]) => `${name!.padEnd(9)}${value}\n`).join("")}\n${laidOut(body)}\n`;
}

function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export interface FoundSent {
  request: SentRequest;
  /** What stands around the words. */
  line: string;
}

/** The requests that have all the words in what was sent; in each the first place. */
export function* searchSent(outbox: Outboxed, words: string): Generator<FoundSent> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  for (const request of outbox.requests) {
    const body = outbox.body(request.number) ?? "";
    const text = body.toLowerCase();
    if (wanted.length === 0 || !wanted.every((word) => text.includes(word))) continue;
    const at = text.indexOf(wanted[0]!);
    yield { request, line: body.slice(Math.max(0, at - 60), at + 120) };
  }
}

const hostOf = (address: string): string => sanitize(URL.parse(address)?.host ?? address);
const seconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);
