// The conversations there are, as choices of a menu and as lines: in the chat, for --conversations and `interpreter conversations`.

import { type Conversation, type Listed, loadArchive, loadConversation } from "../conversations/index.ts";
import { places, type Settings } from "../settings/index.ts";
import { type Choice, choose } from "./menu.ts";
import { sanitize } from "./sanitize.ts";
import { openScreen } from "./screen.ts";

/** No more are offered in a menu: whoever wants an older one searches for it. */
const most = 100;

/** Each stands for the folder of the conversation. */
export async function choicesOf(folder: string): Promise<Choice<string>[]> {
  const { listConversations } = await loadArchive();
  return first(listConversations(folder), (listed) => ({
    label: listed.name,
    note: noteOf(listed),
    value: listed.folder,
  }));
}

export async function choicesWith(words: string, folder: string): Promise<Choice<string>[]> {
  const { searchConversations } = await loadArchive();
  return first(searchConversations(folder, words), (found) => ({
    label: found.name,
    note: found.places[0]?.line.trim() ?? "",
    value: found.folder,
  }));
}

async function first<T, R>(all: Iterable<T> | AsyncIterable<T>, make: (each: T) => R): Promise<R[]> {
  const made: R[] = [];
  for await (const each of all) if (made.push(make(each)) === most) break;
  return made;
}

function noteOf({ changed, turns, cwd }: Listed): string {
  return `${when(changed)}, ${turns === 1 ? "1 turn" : `${turns} turns`}, ${cwd}`;
}

/** 2026-08-31 14:05, in the person's time. */
function when(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The one to go on with; a number is how the program ends without one. Where nobody can choose they are printed. */
export async function chooseConversation(settings: Settings): Promise<Conversation | number> {
  const folder = places().conversations;
  const screen = openScreen(settings);
  if (!screen) {
    const { listConversations } = await loadArchive();
    for (const listed of listConversations(folder))
      process.stdout.write(`${listed.id}\t${noteOf(listed)}\t${sanitize(listed.name)}\n`);
    return 0;
  }
  const choices = await choicesOf(folder);
  if (choices.length === 0) {
    screen.output.write("There are no conversations yet.\n");
    return 0;
  }
  const chosen = await choose({ title: "Go on with", choices, leaving: "leaves" }, screen);
  return (chosen.type === "chosen" && loadConversation(chosen.value)) || 130;
}
