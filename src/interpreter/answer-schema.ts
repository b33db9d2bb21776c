// An answer that follows a schema: how it is asked for, found in what the model said, and asked for again.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Message } from "../messages/index.ts";
import { InputProblem } from "../settings/index.ts";
import askForAnswer from "./ask-for-answer.md";
import { checkSchema, type Schema } from "./schema/schema.ts";
import { type Misfit, misfits, tellMisfit } from "./schema/validate.ts";

export type { Schema };
export { checkSchema };

/** How often a model may correct an answer that does not follow. */
export const repairs = 2;

/** Throws InputProblem when the file is not there, is not JSON, or holds no schema that can be followed. */
export async function readSchemaFile(file: string, cwd: string): Promise<Schema> {
  const text = await readFile(resolve(cwd, file), "utf8").catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "there is no such file" : error.message;
    throw new InputProblem(`The schema ${file} cannot be read: ${why}.`, "--output_schema takes a JSON Schema file.");
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputProblem(`The schema ${file} is not JSON: ${(error as Error).message}.`);
  }
  return checkSchema(value);
}

/** What the system message says about the answer. */
export const askFor = (schema: Schema): string => askForAnswer.trim().replace("{schema}", () => JSON.stringify(schema));

export type Judged = { value: unknown } | { misfits: string[] };

/** The answer in what was said last, if it is one. */
export function judge(messages: readonly Message[], schema: Schema): Judged {
  const said = lastWords(messages);
  const found = parse(said);
  if (!found) return { misfits: [said ? "The last message is not JSON." : "There was no last message."] };
  const wrong: Misfit[] = misfits(schema, found.value);
  if (wrong.length === 0) return found;
  const told = wrong.slice(0, 20).map(tellMisfit);
  return { misfits: wrong.length > 20 ? [...told, `… and ${wrong.length - 20} more`] : told };
}

/** What the model is told about an answer that does not follow. */
export const askAgain = (wrong: readonly string[]): string =>
  `(Your last message is not an answer that follows the schema:\n${wrong.map((line) => `- ${line}`).join("\n")}\nSend the whole answer again, as JSON and nothing else.)`;

/** The words after the last step. */
function lastWords(messages: readonly Message[]): string {
  const end = messages.findLastIndex(({ role, type }) => role !== "assistant" || type === "code");
  return messages
    .slice(end + 1)
    .flatMap(({ type, content }) => (type === "message" ? [content] : []))
    .join("")
    .trim();
}

/** As it is, or in a fence: models like to put one around it. */
function parse(said: string): { value: unknown } | undefined {
  const fences = [...said.matchAll(/^[ \t]*(`{3,})[^\n`]*\n([\s\S]*?)\n[ \t]*\1`*[ \t]*$/gm)].map((match) => match[2]!);
  for (const text of [said, ...fences.reverse()]) {
    try {
      return { value: JSON.parse(text) };
    } catch {
      // Words, or words around it.
    }
  }
  return undefined;
}
