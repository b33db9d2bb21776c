// --resume: the conversation that is meant, chosen from a menu when none is named; and the folder it was held in.

import { join } from "node:path";
import { type Conversation, loadArchive, loadConversation } from "../conversations/index.ts";
import { InputProblem, places, type Settings } from "../settings/index.ts";
import { chooseConversation } from "./conversation-menu.ts";
import { chooseOne, list } from "./conversations-command.ts";
import { openScreen } from "./screen.ts";

/** A number is how the program ends without one. The program works in the conversation's folder from now on. */
export async function openResumed(written: string, settings: () => Promise<Settings>): Promise<Conversation | number> {
  const { findConversation } = await loadArchive();
  const { conversations } = places();
  const choosing = written === chooseOne ? await settings() : undefined;
  const screen = choosing && openScreen(choosing);
  if (choosing && !screen) return list(choosing);
  const found = screen
    ? await chooseConversation(screen)
    : loadConversation(join(conversations, findConversation(conversations, written)));
  if (found === undefined) throw new InputProblem(`There is nothing in ${written} to go on with.`);
  if (typeof found === "number") return found;
  for (const problem of found.problems) process.stderr.write(`${problem}\n`);
  goTo(found.header.cwd);
  return found;
}

function goTo(folder: string): void {
  const here = process.cwd();
  if (folder === here || folder === "") return;
  try {
    process.chdir(folder);
    process.stderr.write(`It goes on in its folder, ${folder}\n`);
  } catch {
    process.stderr.write(`Its folder ${folder} is not there any more. It goes on in ${here}\n`);
  }
}
