// Settings files: YAML with the same names the flags have. Unknown names and wrong types are errors that say where.

import { readFileSync } from "node:fs";
import type { LineCounter, Node, Pair } from "yaml";
import { readCustomLanguages } from "./custom-languages.ts";
import { findSetting, notASetting } from "./find-option.ts";
import type { Choices } from "./options/index.ts";
import { InputProblem } from "./problem.ts";
import { checkValue } from "./values.ts";

export interface FileChoices {
  path: string;
  choices: Choices;
  /** By the name of the choice: the line it is on. */
  lines: Readonly<Record<string, number>>;
}

/** The names and values of a file, before anybody has looked what they mean. */
export interface Entries {
  path: string;
  pairs: readonly Pair<Node, Node | null>[];
  lines: LineCounter;
}

export const readSettings = async (path: string): Promise<FileChoices> =>
  readChoices(await parseYaml(path, read(path)));

/** The text of a file that the person named or that is theirs. */
export function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new InputProblem(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** Rejects with a plain-words problem when a file is no YAML of names and values. */
export const checkYaml = async (path: string): Promise<void> => void (await parseYaml(path, read(path)));

export async function parseYaml(path: string, text: string): Promise<Entries> {
  const { isMap, LineCounter, parseDocument } = await import("./yaml.ts");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken) throw new InputProblem(`${path} is not valid YAML: ${broken.message.split("\n")[0]}`);
  if (document.contents === null) return { path, pairs: [], lines };
  if (!isMap(document.contents)) throw new InputProblem(`${path} must be a list of names and values.`);
  return { path, pairs: document.contents.items as Pair<Node, Node | null>[], lines };
}

export async function readChoices({ path, pairs, lines: counter }: Entries): Promise<FileChoices> {
  const { isScalar, isSeq } = await import("./yaml.ts");
  const choices: Record<string, unknown> = {};
  const lines: Record<string, number> = {};
  for (const pair of pairs) {
    const key = String(isScalar(pair.key) ? pair.key.value : pair.key);
    const at = pair.key.range?.[0] ?? 0;
    const { line } = counter.linePos(at);
    const where = `${path}:${line}: ${key}`;
    if (key === "languages") {
      choices.customLanguages = await readCustomLanguages(pair.value, at, { path, lines: counter });
      lines.customLanguages = line;
      continue;
    }
    const option = findSetting(key);
    if (!option) throw notASetting(where, key, ["languages"]);
    const value = isScalar(pair.value) ? pair.value.value : isSeq(pair.value) ? pair.value.toJSON() : pair.value;
    choices[option.name] = checkValue(option, value, where);
    lines[option.name] = line;
  }
  return { path, choices: choices as Choices, lines };
}
