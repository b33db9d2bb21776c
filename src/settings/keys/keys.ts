// Where keys are looked for when the environment has none, and where they are kept: `.env`, the keyring, the file of keys.

import { InputProblem } from "../problem.ts";
import { readDotEnv } from "./dot-env.ts";
import { findKeyring } from "./find-keyring.ts";
import { type KeptKeys, keyFile, readKeyFile, writeKeyFile } from "./key-file.ts";
import type { Keyring } from "./keyring.ts";

/** Whose key it is: a provider, as far as keys are concerned. */
export interface KeyOwner {
  /** What it is kept under. */
  name: string;
  /** For people. */
  label: string;
  /** The variables that may hold it, best first. */
  variables: readonly string[];
}

export type KeyPlace = "keyring" | "file";

export interface FoundKey {
  key: string;
  place: KeyPlace | ".env";
}

/** Rejects with a plain-words problem when a key is known to be somewhere that cannot be read. */
export async function findKey(
  owner: KeyOwner,
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FoundKey | undefined> {
  const here = readDotEnv(cwd, owner.variables);
  const variable = owner.variables.find((name) => here[name]);
  if (variable) return { key: here[variable]!, place: ".env" };
  const kept = readKeyFile(keyFile(env))[owner.name];
  if (!kept) return undefined;
  if ("key" in kept) return { key: kept.key, place: "file" };
  const key = await inKeyring(owner, env, (keyring) => keyring.read(owner.name));
  return key === undefined ? undefined : { key, place: "keyring" };
}

/** Whose keys are kept, and where. Opens no keyring. */
export function keptKeys(env: NodeJS.ProcessEnv = process.env): Record<string, KeyPlace> {
  return Object.fromEntries(
    Object.entries(readKeyFile(keyFile(env))).map(([name, kept]) => [name, "key" in kept ? "file" : "keyring"]),
  );
}

/** Keeps a key in one place, and in no other. */
export async function keepKey(
  owner: KeyOwner,
  key: string,
  place: KeyPlace,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const path = keyFile(env);
  const kept = readKeyFile(path);
  if (place === "keyring") await inKeyring(owner, env, (keyring) => keyring.write(owner.name, owner.label, key));
  else await leaveKeyring(owner, kept, env);
  writeKeyFile(path, { ...kept, [owner.name]: place === "keyring" ? { keyring: true } : { key } });
}

/** Forgets a key; tells where it was. */
export async function forgetKey(owner: KeyOwner, env: NodeJS.ProcessEnv = process.env): Promise<KeyPlace | undefined> {
  const path = keyFile(env);
  const { [owner.name]: entry, ...others } = readKeyFile(path);
  if (!entry) return undefined;
  await leaveKeyring(owner, { [owner.name]: entry }, env);
  writeKeyFile(path, others);
  return "key" in entry ? "file" : "keyring";
}

export const hasKeyring = (env: NodeJS.ProcessEnv = process.env): boolean => findKeyring(env) !== undefined;

/** A key as it was typed or pasted, without what came along with it; undefined when it can be none. */
export function readKey(typed: string): string | undefined {
  const key = typed.trim().replace(/^(["'])(.*)\1$/, "$2");
  return /^[\x21-\x7e]+$/.test(key) ? key : undefined;
}

async function leaveKeyring(owner: KeyOwner, kept: KeptKeys, env: NodeJS.ProcessEnv): Promise<void> {
  const entry = kept[owner.name];
  if (entry && "keyring" in entry) await inKeyring(owner, env, (keyring) => keyring.remove(owner.name));
}

async function inKeyring<T>(
  owner: KeyOwner,
  env: NodeJS.ProcessEnv,
  use: (keyring: Keyring) => Promise<T>,
): Promise<T> {
  const keyring = findKeyring(env);
  try {
    if (keyring) return await use(keyring);
  } catch (error) {
    throw unusable(owner, (error as Error).message);
  }
  throw unusable(owner, "this session has none");
}

const unusable = (owner: KeyOwner, why: string): InputProblem =>
  new InputProblem(
    `The system keyring cannot be used for the key of ${owner.label}: ${why.replace(/\.$/, "")}.`,
    `Unlock it, set ${owner.variables[0]}, or keep the key in a private file: interpreter keys set ${owner.name} file`,
  );
