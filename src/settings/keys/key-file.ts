// The file of keys: which provider has a key in the system's keyring, and the keys of those that have none there.
// Only its owner can read it, or it is not used.

import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { places } from "../places.ts";
import { InputProblem } from "../problem.ts";

/** By the provider's name. */
export type KeptKeys = Record<string, { key: string } | { keyring: true }>;

export const keyFile = (env: NodeJS.ProcessEnv = process.env): string => join(places(env).config, "keys.json");

export function readKeyFile(path: string): KeptKeys {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return {};
    throw new InputProblem(`The file of your keys cannot be read: ${message}.`, "Make it yours and private again.");
  }
  try {
    checkPrivate(path, fstatSync(file));
    return parse(path, readFileSync(file, "utf8"));
  } finally {
    closeSync(file);
  }
}

/** Replaces the file as a whole; without keys there is none. */
export function writeKeyFile(path: string, kept: KeptKeys): void {
  if (Object.keys(kept).length === 0) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (process.platform !== "win32") chmodSync(dirname(path), 0o700);
  const next = `${path}.${process.pid}.new`;
  try {
    writeFileSync(next, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw new InputProblem(`The key could not be kept in ${path}: ${(error as Error).message}.`);
  }
}

/** On Windows the folder of a user's settings is that user's alone, and there are no such modes to look at. */
function checkPrivate(path: string, file: Stats): void {
  if (process.platform === "win32") return;
  const folder = dirname(path);
  const around = statSync(folder);
  const me = process.getuid?.();
  const strangers = [file.uid !== me && path, around.uid !== me && folder].filter((each) => each !== false);
  if (strangers[0])
    throw new InputProblem(
      `${strangers[0]} belongs to another user, so the keys in it are not used.`,
      `If that is right, make it yours: chown ${me} ${quoted(strangers[0])}`,
    );
  if (file.mode & 0o077)
    throw new InputProblem(
      `${path} is open to other users, so the keys in it are not used.`,
      `Close it: chmod 600 ${quoted(path)} (and get new keys, if others may have read these).`,
    );
  if (around.mode & 0o022)
    throw new InputProblem(
      `Other users can change what is in ${folder}, so the keys in it are not used.`,
      `Close it: chmod 700 ${quoted(folder)}`,
    );
}

const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** What a broken file holds may be a key: the message tells nothing of it. */
function parse(path: string, text: string): KeptKeys {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && Object.values(value).every(isKept)) return value as KeptKeys;
  } catch {
    // Said below.
  }
  throw new InputProblem(
    `${path} is not a file of keys as \`interpreter keys\` writes it.`,
    "Remove it and keep the keys again: interpreter keys set PROVIDER",
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isKept = (value: unknown): boolean =>
  isRecord(value) && (value.keyring === true || (typeof value.key === "string" && value.key !== ""));

/** The keys that are in it, by the provider's name, for those who must not let them out; none when it cannot be used. */
export function keptKeyValues(env: NodeJS.ProcessEnv): [provider: string, key: string][] {
  const path = keyFile(env);
  if (!existsSync(path)) return [];
  try {
    return Object.entries(readKeyFile(path)).flatMap(([name, kept]) => ("key" in kept ? [[name, kept.key]] : []));
  } catch {
    return [];
  }
}
