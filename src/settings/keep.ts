// Writes one setting into settings.yaml, or takes one out, and leaves everything else there as it is: comments, order, quotes.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Document, Node, Pair } from "yaml";
import { findSetting } from "./find-option.ts";
import { places } from "./places.ts";
import { replaceFile } from "./replace-file.ts";
import type { Value } from "./values.ts";

/** Says which file it is in now. */
export async function keepSetting(name: string, value: Value, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { path, text } = settingsText(env);
  replaceFile(path, await withSetting(text, name, value));
  return path;
}

/** Tells whether it was there. */
export async function dropSetting(name: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const { path, text } = settingsText(env);
  const rest = await withoutSetting(text, name);
  if (rest !== undefined) replaceFile(path, rest);
  return rest !== undefined;
}

export const settingsPath = (env: NodeJS.ProcessEnv = process.env): string => join(places(env).config, "settings.yaml");

const heading = "# Settings of Open Interpreter. `interpreter config` shows them all.\n";

function settingsText(env: NodeJS.ProcessEnv): { path: string; text: string } {
  const path = settingsPath(env);
  return { path, text: existsSync(path) ? readFileSync(path, "utf8") : heading };
}

/** The text of a settings file with a setting in it. */
export async function withSetting(text: string, name: string, value: Value): Promise<string> {
  const { isScalar, parseDocument } = await import("./yaml.ts");
  const document = parseDocument(text);
  const pair = await findPair(document, name);
  const key = pair ? String(pair.key.toJSON()) : name;
  const range = isScalar(pair?.value) ? pair.value.range : undefined;
  const edited = range
    ? `${text.slice(0, range[0]).replace(/:$/, ": ")}${written(value)}${text.slice(range[1])}`
    : `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${key}: ${written(value)}\n`;
  const result = parseDocument(edited);
  if (result.errors.length === 0 && isSame(result.toJS()[key], value)) return edited;
  document.set(key, value);
  return String(document);
}

/** The text without a setting; undefined when it is not there. */
export async function withoutSetting(text: string, name: string): Promise<string | undefined> {
  const { parseDocument } = await import("./yaml.ts");
  const document = parseDocument(text);
  const pair = await findPair(document, name);
  if (!pair) return undefined;
  const start = text.lastIndexOf("\n", (pair.key.range?.[0] ?? 0) - 1) + 1;
  const end = (pair.value ?? pair.key).range?.[2] ?? text.length;
  const edited = text.slice(0, start) + text.slice(end).replace(/^[ \t]*\r?\n/, "");
  document.delete(pair.key);
  const result = parseDocument(edited);
  return result.errors.length === 0 && isSame(result.toJS() ?? {}, document.toJS() ?? {}) ? edited : String(document);
}

/** Whatever way its name is spelled. */
async function findPair(document: Document, name: string): Promise<Pair<Node, Node | null> | undefined> {
  const { isMap, isScalar } = await import("./yaml.ts");
  if (!isMap(document.contents)) return undefined;
  const means = (key: unknown) =>
    isScalar(key) && (key.value === name || findSetting(String(key.value))?.flag === findSetting(name)?.flag);
  return document.contents.items.find(({ key }) => means(key)) as Pair<Node, Node | null> | undefined;
}

function written(value: Value): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return /^[\w./:@+-]+$/.test(value) && !value.endsWith(":") ? value : JSON.stringify(value);
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
