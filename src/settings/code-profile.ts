// Profiles written in TypeScript or JavaScript: settings, and what only code can give. They run inside this program, so they come
// from the person's own folder or from a path that the person named, never from a project.

import { pathToFileURL } from "node:url";
import { type CustomLanguage, checkLanguage } from "./custom-languages.ts";
import { settable } from "./find-option.ts";
import type { Choices } from "./options/index.ts";
import { InputProblem, nearest } from "./problem.ts";
import { checkValue } from "./values.ts";

/** What a profile that is a function is given. */
export interface ProfileContext {
  /** The working folder. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** What was chosen before the profile: in settings.yaml. */
  settings: Readonly<Choices>;
}

/** What only code can give. What these are is checked where they are used. */
export interface GivenByCode {
  model?: object;
  languages?: readonly object[];
  functions?: Readonly<Record<string, unknown>>;
  approve?: (...args: never[]) => unknown;
}

export interface CodeChoices {
  choices: Choices;
  given: GivenByCode;
}

export async function readCodeProfile(path: string, context: ProfileContext): Promise<CodeChoices> {
  const profile = await load(path, context);
  const choices: Record<string, unknown> = {};
  const given: GivenByCode = {};
  for (const [name, value] of Object.entries(profile)) {
    if (value === undefined) continue;
    const where = `${path}: ${name}`;
    if (name === "model" && typeof value === "object" && value !== null) {
      given.model = checkModel(value, where);
      choices.model = (value as { id: string }).id;
    } else if (name === "languages") {
      const { own, described } = checkLanguages(value, where);
      given.languages = own;
      if (described.length > 0) choices.customLanguages = described;
    } else if (name === "functions") {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw new InputProblem(`${where} takes an object: each function by its name.`);
      given.functions = value as Record<string, unknown>;
    } else if (name === "approve") {
      if (typeof value !== "function") throw new InputProblem(`${where} takes a function.`);
      given.approve = value as NonNullable<GivenByCode["approve"]>;
    } else {
      const option = settable.find((each) => each.name === name && each.name !== "profile");
      if (!option) throw unknown(where, name);
      choices[name] = checkValue(option, value, where);
    }
  }
  return { choices: choices as Choices, given };
}

async function load(path: string, context: ProfileContext): Promise<object> {
  if (/\.m?ts$/.test(path) && !process.features.typescript)
    throw new InputProblem(
      `${path} is TypeScript, and Node ${process.versions.node} cannot read that.`,
      "Use Node 22.18 or newer, or write the profile as JavaScript: NAME.mjs",
    );
  try {
    const exported: unknown = ((await quietly(() => import(pathToFileURL(path).href))) as { default?: unknown })
      .default;
    const profile: unknown = typeof exported === "function" ? await exported(context) : exported;
    if (typeof profile === "object" && profile !== null && !Array.isArray(profile)) return profile;
  } catch (error) {
    throw new InputProblem(`${path} could not be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new InputProblem(
    `${path} does not export a profile by default.`,
    "For example: export default { model: 'anthropic/claude-sonnet-5' }",
  );
}

/** Node has a word to say about files whose folder has no package.json, and about types. Nobody here needs to hear it. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return await work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function checkModel(value: object, where: string): object {
  const { id, dialect, stream } = value as { id?: unknown; dialect?: unknown; stream?: unknown };
  if (typeof id === "string" && (dialect === "tool" || dialect === "markdown") && typeof stream === "function")
    return value;
  throw new InputProblem(
    `${where} takes a model's name, or an object with id, dialect ("tool" or "markdown") and stream().`,
    "docs/profiles.md has an example.",
  );
}

function checkLanguages(value: unknown, where: string): { own: object[]; described: CustomLanguage[] } {
  const list = Array.isArray(value) ? (value as unknown[]) : [undefined];
  if (!list.every((each) => typeof each === "object" && each !== null))
    throw new InputProblem(`${where} takes a list of languages, each with a name.`, "docs/custom-languages.md");
  const isCode = (each: object): boolean => typeof (each as { start?: unknown }).start === "function";
  const described = list.filter((each) => !isCode(each)).map((each) => checkLanguage(each, `${where}: `));
  return { own: list.filter(isCode), described };
}

function unknown(where: string, name: string): InputProblem {
  const near = nearest(name, [...settable.map((each) => each.name), "languages", "functions", "approve"]);
  return new InputProblem(
    `${where} is not a setting.`,
    near ? `Did you mean ${near}?` : "Settings are written in camel case here: docs/profiles.md",
  );
}
