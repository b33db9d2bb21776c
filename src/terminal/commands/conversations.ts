// Commands about conversations: another one, a copy of this one, finding one, naming this one.

import { type Conversation, loadArchive, loadConversation, turnStarts } from "../../conversations/index.ts";
import { places } from "../../settings/index.ts";
import { sanitize } from "../sanitize.ts";
import type { ChatControls } from "./command.ts";
import { pick } from "./pick.ts";

export async function reset({ interpreter, images, print }: ChatControls): Promise<void> {
  images.length = 0;
  await interpreter.reset();
  print("The conversation and the sessions are cleared.\n");
}

export async function resume(chat: ChatControls, words: string): Promise<void> {
  const { choicesOf, choicesWith } = await import("../conversation-menu.ts");
  const folder = places().conversations;
  const choices = words
    ? await chat.stoppable((signal) => choicesWith(words, folder, signal))
    : await choicesOf(folder);
  if (choices.length === 0)
    return chat.print(words ? `No conversation has ${sanitize(words)} in it.\n` : "There are no conversations yet.\n");
  const chosen = await pick(chat, { title: "Go on with", choices, leaving: "stays here" });
  const conversation = chosen === undefined ? undefined : loadConversation(chosen);
  if (conversation) await goOn(chat, conversation);
}

export async function search(chat: ChatControls, words: string): Promise<void> {
  if (words === "") return chat.print("Say what to look for: /search WORDS\n");
  return resume(chat, words);
}

export async function fork(chat: ChatControls, written: string): Promise<void> {
  const { interpreter, print } = chat;
  const starts = turnStarts(interpreter.messages);
  const turn = written === "" ? starts.length : Number(written);
  if (starts.length === 0) return print("There is nothing to copy yet.\n");
  if (!Number.isInteger(turn) || turn < 1 || turn > starts.length)
    return print(`A copy ends after one of the turns: a number from 1 to ${starts.length}.\n`);
  const { forkConversation, nameOf } = await loadArchive();
  const { messages, cwd, conversation: from } = interpreter;
  const copy = forkConversation(places().conversations, {
    messages: messages.slice(0, starts[turn] ?? messages.length),
    title: `${nameOf(interpreter)} (copy)`,
    cwd,
    from,
    mask: interpreter.secrets,
  });
  await goOn(chat, copy);
}

export async function rename({ interpreter, print }: ChatControls, title: string): Promise<void> {
  const name = title.replace(/\s+/g, " ");
  if (name === "")
    return print(interpreter.title ? `It is called: ${sanitize(interpreter.title)}\n` : "/rename TITLE\n");
  if (interpreter.messages.length === 0) return print("There is nothing to name yet: say something first.\n");
  interpreter.title = name;
  print(`It is called: ${sanitize(name)}\n`);
}

async function goOn({ interpreter, images, view, print }: ChatControls, conversation: Conversation): Promise<void> {
  images.length = 0;
  await interpreter.resume(conversation);
  const { goingOn } = await import("../start-screen.ts");
  for (const problem of conversation.problems) print(`${sanitize(problem)}\n`);
  const { cwd } = conversation.header;
  if (cwd !== interpreter.cwd) print(`It was held in ${sanitize(cwd)}, and goes on here, in ${interpreter.cwd}\n`);
  print(`${goingOn(conversation.messages, view.style, await interpreter.stateLines()).join("\n")}\n`);
}
