// `interpreter FILE.ipynb`: a notebook as the conversation to go on with.

import { resolve } from "node:path";
import { type Conversation, loadImport } from "../conversations/index.ts";
import { places, type Settings } from "../settings/index.ts";
import { sanitize } from "./sanitize.ts";

/** Throws InputProblem when the file is no notebook. */
export async function openNotebookFile(path: string, { maxOutput }: Settings): Promise<Conversation> {
  const { openNotebook } = await loadImport();
  const { conversation, blocks, problems } = await openNotebook(resolve(path), {
    conversations: places().conversations,
    cwd: process.cwd(),
    maxOutput,
  });
  for (const problem of problems) process.stderr.write(`${sanitize(problem)}\n`);
  const cells = blocks === 1 ? "1 block of code" : `${blocks} blocks of code`;
  process.stderr.write(
    `${sanitize(path)} is open, with ${cells}. None was run here: outputs are the notebook's, and the session is empty.\n`,
  );
  return conversation;
}
