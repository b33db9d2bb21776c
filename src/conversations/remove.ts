// Deleting a conversation: its folder with everything in it, and nothing that is not in it.

import { lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { holderOf, theProcess } from "../machine/index.ts";
import { InputProblem } from "../settings/index.ts";
import { logName } from "./lines.ts";

/** `name` is one of those that findConversation gives. */
export function removeConversation(conversations: string, name: string): void {
  const folder = join(conversations, name);
  if (!lstatSync(folder).isDirectory())
    throw new InputProblem(`${folder} is no folder but leads to somewhere else: nothing was deleted.`);
  const holder = holderOf(folder);
  if (holder)
    throw new InputProblem(`It is open in ${theProcess(holder)}: nothing was deleted.`, "End it there first.");
  // The log goes last: what is only half deleted can be found and deleted again.
  for (const each of readdirSync(folder))
    if (each !== logName) rmSync(join(folder, each), { recursive: true, force: true });
  rmSync(join(folder, logName), { recursive: true, force: true });
  rmdirSync(folder);
}
