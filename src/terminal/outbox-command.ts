// `interpreter outbox`: what was sent to models, conversation by conversation, and what else left this machine.

import { join } from "node:path";
import { loadArchive } from "../conversations/index.ts";
import { loadOutbox, type Outboxed } from "../privacy/index.ts";
import { InputProblem, places, type Settings } from "../settings/index.ts";
import { outboxFields, outboxJson, outboxTable, requestPage, searchSent } from "./outbox-table.ts";
import { sanitize } from "./sanitize.ts";
import { screenFor } from "./screen.ts";
import { createWriter } from "./writer.ts";

/** The words after `outbox`. */
export async function runOutbox(words: readonly string[], settings: Settings): Promise<number> {
  const [first, second] = words;
  if (first === "other" && second === undefined) return other(settings);
  if (first === "search") return search(words.slice(1).join(" "), settings);
  const isNumber = first !== undefined && /^\d{1,6}$/.test(first);
  const { name, outbox } = await open(isNumber ? undefined : first);
  const number = isNumber ? first : second;
  return number === undefined ? list(name, outbox, settings) : show(outbox, Number(number), settings);
}

/** What was sent in the conversation that is meant, or in the newest. */
async function open(written: string | undefined): Promise<{ name: string; outbox: Outboxed }> {
  const { findConversation, listConversations } = await loadArchive();
  const { conversations } = places();
  const newest = () => listConversations(conversations).next().value?.id;
  const name = written === undefined ? newest() : findConversation(conversations, written);
  if (name === undefined)
    throw new InputProblem("No conversation was kept yet.", "Of those that are not kept, nothing is recorded.");
  const outbox = (await loadOutbox()).readOutbox(join(conversations, name));
  if (!outbox)
    throw new InputProblem(
      `Nothing is recorded of what was sent in ${name}.`,
      "Nothing was asked of a model in it, or it is older than the record.",
    );
  return { name, outbox };
}

/** For a person, as a table; otherwise a line each. */
async function list(name: string, { requests, damaged }: Outboxed, settings: Settings): Promise<number> {
  const { output, style } = screenFor(settings);
  const writer = createWriter(process.stdout);
  if (output.isTTY && !settings.json) {
    writer.write(style.dim(`What was sent in ${name}. One of them whole: interpreter outbox ${name} N\n`));
    for (const line of outboxTable(requests, output.columns || 80, style)) writer.write(line);
    const more = (await loadOutbox()).readElsewhere(places().data).length;
    if (more > 0) writer.write(style.dim(`Apart from conversations: ${more}. interpreter outbox other shows them.\n`));
  } else
    for (const request of requests) {
      writer.write(settings.json ? outboxJson(request) : outboxFields(request));
      await writer.room();
    }
  if (damaged > 0) process.stderr.write(`${damaged} lines of the record are damaged and were left out.\n`);
  return 0;
}

/** With --json exactly the bytes that were sent; otherwise laid out to be read. */
async function show(outbox: Outboxed, number: number, settings: Settings): Promise<number> {
  const request = outbox.requests[number - 1];
  if (!request) throw new InputProblem(`There is no request ${number}.`, `There are 1 to ${outbox.requests.length}.`);
  const body = outbox.body(number);
  if (body === undefined) throw new InputProblem(`Request ${number} cannot be put together: the record is damaged.`);
  process.stdout.write(settings.json ? body : sanitize(requestPage(request, body)));
  return 0;
}

async function search(words: string, settings: Settings): Promise<number> {
  if (words === "") throw new InputProblem("What is to be found?", "interpreter outbox search WORDS");
  const [{ listConversations }, { readOutbox }] = await Promise.all([loadArchive(), loadOutbox()]);
  const { conversations } = places();
  const { output, style } = screenFor(settings);
  const writer = createWriter(process.stdout);
  let count = 0;
  for (const { id, folder } of listConversations(conversations)) {
    const outbox = readOutbox(folder);
    for (const { request, line } of outbox ? searchSent(outbox, words) : []) {
      count++;
      const shown = sanitize(line).replace(/\s+/g, " ");
      if (settings.json) writer.write(`${JSON.stringify({ conversation: id, number: request.number, line })}\n`);
      else if (output.isTTY) writer.write(`${style.cyan(`${id} ${request.number}`)}  ${shown}\n`);
      else writer.write(`${id}\t${request.number}\t${shown}\n`);
      await writer.room();
    }
  }
  if (count === 0 && output.isTTY && !settings.json)
    writer.write(`Nothing that was sent has ${sanitize(words)} in it.\n`);
  return count > 0 ? 0 : 1;
}

async function other(settings: Settings): Promise<number> {
  const lines = (await loadOutbox()).readElsewhere(places().data);
  for (const { at, to, what } of lines)
    process.stdout.write(settings.json ? `${JSON.stringify({ at, to, what })}\n` : sanitize(`${at}\t${what}\t${to}\n`));
  if (lines.length === 0 && process.stdout.isTTY) process.stdout.write("Nothing else was sent.\n");
  return lines.length > 0 ? 0 : 1;
}
