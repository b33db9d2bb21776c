// /copy: the last answer, or a block of code, into the clipboard.

import type { Message } from "../../messages/index.ts";
import { InputProblem } from "../../settings/index.ts";
import type { ChatControls } from "./command.ts";

export async function copy({ interpreter, print }: ChatControls, which: string): Promise<void> {
  const text = which === "" ? lastAnswer(interpreter.messages) : nthBlock(interpreter.messages, which);
  if (text === undefined) return print("There is nothing to copy yet.\n");
  const { writeClipboard } = await import("../clipboard.ts");
  const way = await writeClipboard(text, process.env, process.platform, (sequence) => process.stdout.write(sequence));
  const size = `${text.length} characters`;
  print(way === "terminal" ? `The terminal was asked to copy ${size}.\n` : `Copied ${size}.\n`);
}

/** What the model said last; its last block where it said nothing. */
function lastAnswer(messages: readonly Message[]): string | undefined {
  const said = messages.findLast(
    ({ role, type, content }) =>
      role === "assistant" && (type === "message" || type === "code") && content.trim() !== "",
  );
  return said?.content.trim();
}

/** Counted from the end; blocks in words count like those that ran. */
function nthBlock(messages: readonly Message[], written: string): string | undefined {
  const number = Number(written);
  if (!Number.isInteger(number) || number < 1)
    throw new InputProblem(`${JSON.stringify(written)} is not the number of a block.`, "/copy 1 copies the last one.");
  const blocks = messages.flatMap(({ role, type, content }) => {
    if (role === "computer") return [];
    if (type === "code") return [content];
    return type === "message" && role === "assistant" ? fencesIn(content) : [];
  });
  if (blocks.length > 0 && number > blocks.length)
    throw new InputProblem(`There are only ${blocks.length} blocks.`, "/copy 1 copies the last one.");
  return blocks.at(-number);
}

const fencesIn = (text: string): string[] =>
  [...text.matchAll(/^[ \t]*(`{3,})[^\n`]*\n([\s\S]*?)\n[ \t]*\1`*[ \t]*$/gm)].map((match) => match[2]!);
