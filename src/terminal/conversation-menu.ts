// The conversations there are, as choices of a menu: in the chat, for --resume and `interpreter conversations`.

import { type Conversation, type Listed, loadArchive, loadConversation } from "../conversations/index.ts";
import { places } from "../settings/index.ts";
import { when } from "./conversation-table.ts";
import { type Choice, choose } from "./menu.ts";
import type { Screen } from "./screen.ts";

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

export async function choicesWith(words: string, folder: string, signal: AbortSignal): Promise<Choice<string>[]> {
  const { searchConversations } = await loadArchive();
  return first(searchConversations(folder, words, { signal }), (found) => ({
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

/** The one to go on with; a number is how the program ends without one. */
export async function chooseConversation(screen: Screen): Promise<Conversation | number> {
  const choices = await choicesOf(places().conversations);
  if (choices.length === 0) {
    screen.output.write("There are no conversations yet.\n");
    return 0;
  }
  const chosen = await choose({ title: "Go on with", choices, leaving: "leaves" }, screen);
  return (chosen.type === "chosen" && loadConversation(chosen.value)) || 130;
}
