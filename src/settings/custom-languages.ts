// Languages the person describes in a settings file: what starts one, how it runs a block, how its end is known.

import type { LineCounter, Node, Pair } from "yaml";
import { InputProblem, nearest } from "./problem.ts";

export interface CustomLanguage {
  name: string;
  aliases?: readonly string[];
  extension?: string;
  /** For people; the name when absent. */
  title?: string;
  /** A sentence for the model. */
  note?: string;
  /** False keeps it from being named to the model. */
  offered?: boolean;
  /** The program and its arguments. `{file}` is the file a block is in. */
  command?: readonly string[];
  /**
   * `file`: the command is started for every block. `repl`: it is started once and reads blocks from its stdin.
   * `driver`: it is started once and speaks our own protocol.
   */
  run?: "file" | "repl" | "driver";
  /** With `repl`: what is written to run a block: `{code}`, `{file}` or `{base64}` stand for it. */
  block?: string;
  /** With `repl`: what is written after a block to make it print `{end}`, which tells that the block is over. */
  end?: string;
  /** With `repl`: what is written once, first. */
  setup?: string;
  /** With `repl`: a prompt that is taken out of the output. */
  prompt?: string;
  /** A module whose default export is a `Language`, instead of a command. */
  module?: string;
  env?: Readonly<Record<string, string>>;
  /** What to do when the program is missing. */
  install?: string;
}

const kinds: Record<keyof CustomLanguage, "text" | "list" | "boolean" | "map"> = {
  name: "text",
  aliases: "list",
  extension: "text",
  title: "text",
  note: "text",
  offered: "boolean",
  command: "list",
  run: "text",
  block: "text",
  end: "text",
  setup: "text",
  prompt: "text",
  module: "text",
  env: "map",
  install: "text",
};

const ways = ["file", "repl", "driver"];

/** Where a piece of a settings file stands, for messages. */
export interface Place {
  path: string;
  lines: LineCounter;
}

/** Reads the value of `languages:`; a problem says the line and, where there is one, the likely spelling. */
export async function readCustomLanguages(value: unknown, at: number, place: Place): Promise<CustomLanguage[]> {
  const { isMap, isSeq } = await import("./yaml.ts");
  const where = (offset: number | undefined) => `${place.path}:${place.lines.linePos(offset ?? at).line}: `;
  if (!isSeq(value))
    throw new InputProblem(`${where(at)}languages takes a list, each with a name and a command.`, example);
  const read = value.items.map((item) => {
    const start = (item as Node).range?.[0];
    if (!isMap(item)) throw new InputProblem(`${where(start)}each of languages has a name and a command.`, example);
    const language: Record<string, unknown> = {};
    for (const pair of item.items as Pair<Node, Node | null>[]) {
      const key = String(pair.key.toJSON());
      language[key] = checked(key, pair.value?.toJSON(), where(pair.key.range?.[0]));
    }
    return complete(language as Partial<CustomLanguage>, where(start));
  });
  const twice = read.find(({ name }, index) => read.findIndex((other) => other.name === name) !== index);
  if (twice) throw new InputProblem(`${where(at)}languages names ${twice.name} twice.`);
  return read;
}

/** Checks a language that code describes. */
export function checkLanguage(described: object, where: string): CustomLanguage {
  const fields = Object.entries(described).map(([key, value]) => [key, checked(key, value, where)]);
  return complete(Object.fromEntries(fields) as Partial<CustomLanguage>, where);
}

const example = "For example: languages: [{ name: awk, run: file, command: [awk, -f, '{file}'] }]";

function checked(key: string, value: unknown, where: string): unknown {
  const kind = kinds[key as keyof CustomLanguage];
  if (!kind) {
    const near = nearest(key, Object.keys(kinds));
    throw new InputProblem(
      `${where}${key} is not a setting of a language.`,
      near ? `Did you mean ${near}?` : "docs/custom-languages.md lists them.",
    );
  }
  const shown = JSON.stringify(value);
  if (kind === "boolean" && typeof value !== "boolean")
    throw new InputProblem(`${where}${key} is either true or false, not ${shown}.`);
  if (kind === "text" && (typeof value !== "string" || value === ""))
    throw new InputProblem(`${where}${key} takes text, not ${shown}.`);
  if (key === "command" && typeof value === "string") return value.trim().split(/\s+/);
  if (
    kind === "list" &&
    !(Array.isArray(value) && value.every((each) => typeof each === "string" || typeof each === "number"))
  )
    throw new InputProblem(`${where}${key} takes a list of texts, not ${shown}.`);
  if (kind === "map" && (typeof value !== "object" || value === null || Array.isArray(value)))
    throw new InputProblem(`${where}${key} takes names and values, not ${shown}.`);
  if (kind === "list") return (value as unknown[]).map(String);
  if (kind === "map")
    return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, String(each)]));
  return value;
}

function complete(language: Partial<CustomLanguage>, where: string): CustomLanguage {
  const { name, command, run, end, module } = language;
  if (!name) throw new InputProblem(`${where}a language needs a name.`, example);
  const called = `${where}the language ${name}`;
  if (!/^[a-z][\w+#.-]*$/.test(name))
    throw new InputProblem(`${called} needs a name in lower case, of letters and digits.`);
  if (module) return language as CustomLanguage;
  if (!command || command.length === 0) throw new InputProblem(`${called} needs a command, or a module.`, example);
  if (!run || !ways.includes(run)) {
    const near = run && nearest(run, ways);
    throw new InputProblem(
      `${called} needs run: one of ${ways.join(", ")}${run ? `, not ${JSON.stringify(run)}` : ""}.`,
      near ? `Did you mean ${near}?` : "docs/custom-languages.md says what each means.",
    );
  }
  if (run === "file" && !command.some((word) => word.includes("{file}")))
    throw new InputProblem(`${called} does not say where its block goes.`, "Write {file} in its command.");
  if (run === "repl" && !end?.includes("{end}"))
    throw new InputProblem(
      `${called} does not say how the end of a block is known.`,
      `Write what makes it print {end}, for example: end: 'print("{end}")'`,
    );
  return language as CustomLanguage;
}
