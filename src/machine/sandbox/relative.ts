// Names that are not whole paths: which of them a line of output complains about, and which folders they may be meant from.

import { isAbsolute, join, resolve } from "node:path";

/** What a session was about to do, and where it began. */
export interface Doing {
  language: string;
  code: string;
  /** The folder that sessions begin in. */
  cwd: string;
}

/** Names without a leading slash: in quotes, before what the system says, or behind it. Programs that say it are none. */
export function relativeNames(line: string, says: RegExp): string[] {
  const quoted = [...line.matchAll(/['"‘“]([^'"‘’“”\n]+)['"’”]/g)].map(([, name]) => name!);
  const parts = line.split(/: +/).map((part) => part.trim());
  const at = parts.findLastIndex((part) => says.test(part));
  const beside = at < 0 ? [] : [at > 1 ? parts[at - 1] : undefined, parts[at + 1]];
  const bare = beside.filter((part) => part !== undefined && !/['"‘’“”]/.test(part));
  return [...quoted, ...(bare as string[])].filter((name) => name !== "" && name.length < 500 && !isAbsolute(name));
}

const moves =
  /(?:^|[\n;&|({])[ \t]*(?:cd|pushd|%cd)[ \t]+(?:--[ \t]+)?("[^"\n]*"|'[^'\n]*'|[^\s;&|)]+)|\bchdir\(\s*("[^"\n]*"|'[^'\n]*')/g;

/**
 * Follows sessions by the words of their blocks: the folder that a block ends in, then those before it, then the one that sessions
 * begin in. Whoever asks sees for themselves which of them it was.
 */
export function followFolders(home: string): (doing: Doing) => string[] {
  const last = new Map<string, string>();
  return ({ language, code, cwd }) => {
    const folders = [cwd, last.get(language) ?? cwd];
    for (const [, shell, call] of code.slice(0, 100_000).matchAll(moves)) {
      const named = (shell ?? call)!.replace(/^(["'])(.*)\1$/, "$2").replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, home);
      folders.push(resolve(folders.at(-1)!, named));
    }
    last.set(language, folders.at(-1)!);
    return [...new Set(folders.reverse())];
  };
}

/** Where a name leads from each of some folders. */
export const leadsTo = (name: string, folders: readonly string[]): string[] =>
  folders.map((folder) => join(folder, name));
