// What leaves this machine apart from conversations, one line each: lists of models, weights, parts that are installed.

import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../settings/index.ts";
import { type ElsewhereLine, outboxName, withoutKey } from "./lines.ts";

/** A longer record loses its older half. */
const longest = 1_000_000;

/** Never in the way of what it is about: where it cannot be written, it is not. */
export function noteSent(env: Readonly<Record<string, string | undefined>>, to: string, what: string): void {
  const { data } = places(env as NodeJS.ProcessEnv);
  const path = join(data, outboxName);
  const line: ElsewhereLine = { at: new Date().toISOString(), to: withoutKey(to), what };
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > longest) halve(path);
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // A full or read-only disk.
  }
}

function halve(path: string): void {
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(`${path}.new`, lines.slice(Math.floor(lines.length / 2)).join("\n"), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
