// `interpreter conversations`: lists, searches, renames, deletes and exports the conversations that were held, and goes on with
// one or with a copy of one.

import { join } from "node:path";
import { loadArchive, loadConversation, turnStarts } from "../conversations/index.ts";
import { type CommandLine, InputProblem, places, type Settings } from "../settings/index.ts";
import { fieldsOf, foundFields, foundJson, foundLines, jsonOf, table, tableHead } from "./conversation-table.ts";
import { sanitize } from "./sanitize.ts";
import { screenFor } from "./screen.ts";
import { createWriter } from "./writer.ts";
import { askYesNo } from "./yes-no.ts";

export interface ConversationsCall {
  /** The words after `conversations`. */
  words: readonly string[];
  line: CommandLine;
  settings(): Promise<Settings>;
  /** Starts with another command line instead. */
  begin(line: CommandLine): Promise<number>;
}

const usage: Record<string, string> = {
  search: "interpreter conversations search WORDS",
  resume: "interpreter conversations resume ID [WORDS]",
  fork: "interpreter conversations fork ID [TURN]",
  rename: "interpreter conversations rename ID NAME",
  delete: "interpreter conversations delete ID …",
  export: "interpreter conversations export ID; --format, --output and --clean say how",
};

export async function runConversations(call: ConversationsCall): Promise<number> {
  const { words, line, begin } = call;
  const { choices } = line;
  const [verb, ...rest] = words;
  if (verb === undefined && canChoose(line)) return begin({ choices: { ...choices, resume: chooseOne }, words: [] });
  if (verb === undefined || verb === "list") return list(await call.settings());
  const [first, ...more] = rest;
  if (first === undefined) throw new InputProblem(`\`conversations ${verb}\` needs more.`, usage[verb]);
  if (verb === "search") return search(rest.join(" "), await call.settings());
  const { findConversation } = await loadArchive();
  const folder = places().conversations;
  const id = findConversation(folder, first);
  if (verb === "resume") return begin({ choices: { ...choices, resume: id }, words: more });
  if (verb === "fork") return fork(id, more[0], call);
  if (verb === "rename") return rename(id, more.join(" "));
  if (verb === "export") return begin({ choices, words: ["export", id] });
  return remove(
    rest.map((each) => findConversation(folder, each)),
    call,
  );
}

/** What --resume is without a conversation. */
export const chooseOne = "choose";

const canChoose = ({ choices }: CommandLine): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && !choices.json;

/** For a person, as a table; otherwise a line each. */
export async function list(settings: Settings): Promise<number> {
  const { listConversations, shortIds } = await loadArchive();
  const writer = createWriter(process.stdout);
  const all = [...listConversations(places().conversations)];
  const { output, style } = screenFor(settings);
  if (output.isTTY && !settings.json && all.length === 0) writer.write("There are no conversations yet.\n");
  else if (output.isTTY && !settings.json) {
    writer.write(tableHead(style));
    const ids = shortIds(all.map(({ id }) => id));
    for (const line of table(all, ids, output.columns || 80, style)) {
      writer.write(line);
      await writer.room();
    }
  } else
    for (const listed of all) {
      writer.write(settings.json ? jsonOf(listed) : fieldsOf(listed));
      await writer.room();
    }
  return 0;
}

/** A person is shown so many; who wants to see others adds a word. */
const mostShown = 20;

async function search(words: string, settings: Settings): Promise<number> {
  const { searchConversations, shortIds, listNames } = await loadArchive();
  const folder = places().conversations;
  const writer = createWriter(process.stdout);
  const { output, style } = screenFor(settings);
  const shown = output.isTTY && !settings.json;
  const ids = shown ? shortIds(listNames(folder)) : undefined;
  let count = 0;
  for await (const found of searchConversations(folder, words)) {
    if (shown && count === mostShown) {
      writer.write(style.dim("… and there are more. Another word makes them fewer.\n"));
      return 0;
    }
    count++;
    if (ids) for (const line of foundLines(found, ids.get(found.id)!, output.columns || 80, style)) writer.write(line);
    else writer.write(settings.json ? foundJson(found) : foundFields(found));
    await writer.room();
  }
  if (count > 0) return 0;
  if (shown) writer.write(`No conversation has ${sanitize(words)} in it.\n`);
  return 1;
}

/** A copy of it, or of its first turns; a person goes on with it right away. */
async function fork(id: string, written: string | undefined, { line, begin }: ConversationsCall): Promise<number> {
  const { forkConversation, nameOf } = await loadArchive();
  const conversation = theConversation(id);
  const { messages, header, folder } = conversation;
  const starts = turnStarts(messages);
  const turns = written === undefined ? starts.length : Number(written);
  if (!Number.isInteger(turns) || turns < 1 || turns > starts.length)
    throw new InputProblem(`A copy ends after one of its turns: a number from 1 to ${starts.length}.`, usage.fork);
  const copy = forkConversation(places().conversations, {
    messages: messages.slice(0, starts[turns] ?? messages.length),
    title: `${nameOf(conversation)} (copy)`,
    cwd: header.cwd,
    from: { conversation: id, folder },
  });
  const { conversation: name } = copy.header;
  if (canChoose(line)) return begin({ choices: { ...line.choices, resume: name }, words: [] });
  process.stdout.write(`${name}\n`);
  return 0;
}

async function rename(id: string, written: string): Promise<number> {
  const title = written.replace(/\s+/g, " ").trim();
  if (title === "") throw new InputProblem("What is it to be called?", usage.rename);
  const { renameConversation } = await loadArchive();
  renameConversation(places().conversations, id, title);
  process.stdout.write(`${id} is called: ${sanitize(title)}\n`);
  return 0;
}

async function remove(ids: readonly string[], { line }: ConversationsCall): Promise<number> {
  const { nameOf, removeConversation } = await loadArchive();
  const folder = places().conversations;
  for (const id of ids) {
    const conversation = loadConversation(join(folder, id));
    const name = sanitize(conversation ? nameOf(conversation) : "");
    // Only a flag of this very command counts, not a setting that code runs without asking.
    if (!line.choices.autoRun && !(await isMeant(`Delete ${id} (${name})? It cannot be brought back.`, line)))
      return 130;
    removeConversation(folder, id);
    process.stdout.write(`Deleted: ${id}${name ? ` (${name})` : ""}\n`);
  }
  return 0;
}

async function isMeant(question: string, line: CommandLine): Promise<boolean> {
  if (!canChoose(line)) throw new InputProblem("Nobody is here to be asked.", "-y deletes without asking.");
  const { LineReader } = await import("./line-reader.ts");
  const lines = new LineReader(process.stdin, process.stdout, { plain: true });
  lines.onInterrupt = () => lines.close();
  try {
    return await askYesNo(lines, question);
  } finally {
    lines.close();
  }
}

function theConversation(id: string) {
  const conversation = loadConversation(join(places().conversations, id));
  if (!conversation) throw new InputProblem(`There is nothing in ${id}.`);
  for (const problem of conversation.problems) process.stderr.write(`${problem}\n`);
  return conversation;
}
