// Where a tool's configuration may be, and what is read in it.

import { homedir } from "node:os";

/** Addresses that a tool uses instead of its own default, and those that it uses besides. */
export interface Urls {
  instead: readonly string[];
  besides: readonly string[];
}

export interface Sources {
  tool: string;
  variables: readonly { name: string; urls: Urls }[];
  files: readonly {
    path: string;
    urls(text: string): Urls;
    /** It belongs to the project, wherever that lies. */
    theirs?: boolean;
  }[];
}

/** The host of an address; on this machine with its port, since other programs listen beside it. Undefined when it is none. */
export function hostIn(url: string): string | undefined {
  const read = URL.parse(url.trim().replace(/^\w+\+(?=https?:)/, ""));
  if (!read || !/^https?:$/.test(read.protocol) || read.hostname === "") return undefined;
  const host = read.hostname.replace(/\.$/, "");
  return isHere.test(host) ? `${host}:${read.port || (read.protocol === "http:" ? 80 : 443)}` : host;
}

const isHere = /^(127\.[\d.]+|0\.0\.0\.0|\[::1?\]|(.*\.)?localhost)$/;

export const homeIn = (env: NodeJS.ProcessEnv): string => env.HOME ?? env.USERPROFILE ?? homedir();

/** A variable that may be there, with what its words mean. */
export function variable(env: NodeJS.ProcessEnv, name: string, means: keyof Urls): Sources["variables"] {
  const value = env[name];
  // `name=https://…` is how some of them name an index.
  const urls = (value ?? "").split(/[\s,|]+/).map((word) => word.replace(/^[\w.-]+=(?=https?:)/, ""));
  return value ? [{ name, urls: { instead: [], besides: [], [means]: urls.filter(Boolean) } }] : [];
}

/** One line `key = value` or `key: value` of a file, below the heading that stands above it. */
export interface Line {
  section: string;
  key: string;
  value: string;
}

/** Files with headings in brackets: INI and the part of TOML that configurations use. A value may go on in indented lines or in a list. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let section = "";
  for (const row of text.split(/\r?\n/)) {
    if (/^\s*[#;]/.test(row) || row.trim() === "") continue;
    const heading = /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:#.*)?$/.exec(row);
    const pair = /^\s*("[^"]+"|[^\s=]+)\s*=\s*(.*)$/.exec(row);
    const last = lines.at(-1);
    if (heading && !/[:/]/.test(heading[1]!)) {
      section = heading[1]!;
      lines.push({ section, key: "", value: "" });
    } else if (pair && !/^\s+https?:/.test(row))
      lines.push({ section, key: pair[1]!.replaceAll('"', ""), value: pair[2]! });
    else if (last && last.section === section) last.value += ` ${row.trim()}`;
  }
  return lines;
}

/** The addresses in a value, whatever stands around them. */
export const urlsIn = (value: string): string[] => value.match(/(?:\w+\+)?https?:\/\/[^\s"',\]}]+/g) ?? [];
