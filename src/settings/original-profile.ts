// Profiles of the original Open Interpreter: each setting becomes ours where there is one, and one notice says what became of them.

import type { Node, Pair } from "yaml";
import type { Entries, FileChoices } from "./files.ts";
import { findSetting, settable } from "./find-option.ts";
import type { Choices } from "./options/index.ts";
import { isOriginals, left, renamed } from "./original-names.ts";
import { InputProblem, nearest } from "./problem.ts";
import { checkValue } from "./values.ts";

export const isOriginalProfile = ({ pairs }: Entries): boolean =>
  pairs.some(({ key }) => {
    const name = String(key.toJSON());
    return isOriginals(name) && !findSetting(name);
  });

export interface Translated extends FileChoices {
  notice: string;
}

/** Never fails for a name that the original knows. */
export async function translateProfile({ path, pairs, lines: counter }: Entries): Promise<Translated> {
  const choices: Record<string, unknown> = {};
  const lines: Record<string, number> = {};
  const moved: string[] = [];
  const without: string[] = [];

  function take(name: string, value: unknown, line: number): void {
    const option = findSetting(renamed[name] ?? name);
    if (option && !name.startsWith("computer.") && (renamed[name] || !name.startsWith("llm."))) {
      if (renamed[name]) moved.push(`${name} is ${option.flag}`);
      if (isNothing(value)) return;
      choices[option.name] = checkValue(option, meant(name, value), `${path}:${line}: ${name}`);
      lines[option.name] = line;
    } else if (Object.hasOwn(left, name)) {
      if (!isNothing(value)) without.push(`${name} (${left[name]})`);
    } else throw unknown(`${path}:${line}: ${name}`, name);
  }

  for (const { name, value, line } of await flat(pairs, (offset) => counter.linePos(offset).line))
    take(name, value, line);
  return { path, choices: choices as Choices, lines, notice: noticeOf(path, moved, without) };
}

interface Entry {
  name: string;
  value: unknown;
  line: number;
}

/** `llm: { model: x }` as `llm.model`; the version that a profile was written for says nothing to us. */
async function flat(pairs: Entries["pairs"], lineOf: (offset: number) => number): Promise<Entry[]> {
  const { isMap } = await import("./yaml.ts");
  return pairs.flatMap(({ key, value }): Entry[] => {
    const name = String(key.toJSON());
    const line = lineOf(key.range?.[0] ?? 0);
    if (name === "version") return [];
    if (name !== "llm" && name !== "computer") return [{ name, value: value?.toJSON() ?? null, line }];
    if (!isMap(value)) return [];
    return (value.items as Pair<Node, Node | null>[]).map((inner) => ({
      name: `${name}.${inner.key.toJSON()}`,
      value: inner.value?.toJSON() ?? null,
      line: lineOf(inner.key.range?.[0] ?? 0),
    }));
  });
}

const isNothing = (value: unknown): boolean => value === null || value === "";

/** Without instructions, the original says `false`. */
const meant = (name: string, value: unknown): unknown =>
  name.endsWith("execution_instructions") && value === false ? "none" : value;

function unknown(where: string, name: string): InputProblem {
  const known = [...Object.keys(renamed), ...Object.keys(left), ...settable.map(({ flag }) => flag)];
  const near = nearest(name, known);
  return new InputProblem(
    `${where} is a setting neither of the original Open Interpreter nor of this one.`,
    near ? `Did you mean ${near}?` : "docs/profiles.md says which of the original's are known.",
  );
}

function noticeOf(path: string, moved: readonly string[], without: readonly string[]): string {
  return [
    `${path} is a profile of the original Open Interpreter.`,
    ...(moved.length > 0 ? [`  Read as: ${moved.join(", ")}.`] : []),
    ...(without.length > 0 ? [`  Left out: ${without.join("; ")}.`] : []),
  ].join("\n");
}
