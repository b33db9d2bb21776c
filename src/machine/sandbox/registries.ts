// Which package registries the person's own tools use, read from their files and variables without starting anything. What a tool
// uses where nothing is configured is asked of the tool itself, and only when somebody wants to know.

import { readFileSync, realpathSync, statSync } from "node:fs";
import { hostsOfDefaults } from "./registries/ask-tools.ts";
import { buildSources } from "./registries/build-tools.ts";
import { npmSources } from "./registries/npm.ts";
import { pythonSources } from "./registries/python.ts";
import { hostIn, type Sources } from "./registries/source.ts";

export interface Registries {
  /** Hosts that the person's own configuration names. */
  readonly known: ReadonlySet<string>;
  /** Hosts that only files of the project name, which code may have written: worth telling, not worth trusting. */
  readonly project: ReadonlySet<string>;
  /** Whether the person's own configuration names it; of this machine, it is one port that is meant. */
  names(host: string, port?: number): boolean;
  /** The tool, and the file or variable that names a host. */
  origin(host: string, port?: number): string | undefined;
  /** Whether a tool of the person that nobody has configured goes there by itself. Never rejects. */
  ask(host: string, port?: number): Promise<boolean>;
}

export interface RegistriesOptions {
  /** Folders that code can write: what lies there is the project's, and no program there is started. */
  workspace?: readonly string[];
}

const largestFile = 1_000_000;

/** As `hostIn` writes it: elsewhere without a port, on this machine with one. */
const written = (host: string, port?: number): string[] => [
  host,
  ...(port === undefined ? [] : [`${host.includes(":") ? `[${host}]` : host}:${port}`]),
];

export function registryHosts(
  env: NodeJS.ProcessEnv,
  cwd: string,
  { workspace = [cwd] }: RegistriesOptions = {},
): Registries {
  const [known, project] = [new Map<string, string>(), new Map<string, string>()];
  const unset = new Set<string>();
  const writable = workspace.map(real);
  const isWritable = (path: string): boolean => isIn(real(path), writable);
  for (const { tool, files, variables } of sources(env, cwd)) {
    let replaced = false;
    const take = (
      urls: Readonly<Record<"instead" | "besides", readonly string[]>>,
      origin: string,
      theirs: boolean,
    ): void => {
      for (const url of [...urls.instead, ...urls.besides]) {
        const host = hostIn(url);
        if (host) (theirs ? project : known).set(host, `${tool}: ${origin}`);
      }
      if (!theirs && urls.instead.some((url) => hostIn(url) !== undefined)) replaced = true;
    };
    for (const { name, urls } of variables) take(urls, name, false);
    for (const { path, urls, theirs = false } of files) {
      const text = textOf(path);
      if (text !== undefined) take(urls(text), path, theirs || isWritable(path));
    }
    if (!replaced) unset.add(tool);
  }
  for (const host of known.keys()) project.delete(host);
  return {
    known: new Set(known.keys()),
    project: new Set(project.keys()),
    names: (...where) => written(...where).some((name) => known.has(name)),
    origin: (...where) =>
      written(...where)
        .map((name) => known.get(name) ?? project.get(name))
        .find((origin) => origin !== undefined),
    async ask(...where) {
      const hosts = await hostsOfDefaults(unset, env, isWritable);
      return written(...where).some((name) => hosts.has(name.toLowerCase()));
    },
  };
}

const sources = (env: NodeJS.ProcessEnv, cwd: string): Sources[] => [
  npmSources(env, cwd),
  ...pythonSources(env, cwd),
  ...buildSources(env, cwd),
];

function textOf(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    return size <= largestFile && statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const isIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`));
