// What somebody asks about, in words: `host example.org:443`, `write ~/Desktop/a.csv`, `command git push`.

import { splitCommands } from "./command-pattern.ts";
import { readHost } from "./host.ts";
import { splitPort } from "./host-pattern.ts";
import { absolute, type PathPlaces } from "./path-pattern.ts";
import type { RuleKind, Subject } from "./rule.ts";

/** Undefined when the words are none of that kind. */
export function subjectOf(kind: RuleKind, text: string, places: PathPlaces): Subject | undefined {
  if (text.trim() === "") return undefined;
  if (kind === "host") return hostOf(text.trim());
  if (kind === "language") return { kind, name: text.trim().toLowerCase() };
  if (kind === "command") {
    const words = splitCommands(text).commands[0]?.words ?? [];
    return words.length > 0 ? { kind, words } : undefined;
  }
  return { kind, path: absolute(text, places) };
}

const usualPorts: Readonly<Record<string, number>> = {
  "http:": 80,
  "https:": 443,
  "ftp:": 21,
  "ssh:": 22,
  "git:": 9418,
  "ws:": 80,
  "wss:": 443,
};

/** A host, with or without a port; a web address will do, too. */
export function hostOf(text: string): Extract<Subject, { kind: "host" }> | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? URL.parse(text) : undefined;
  if (url === null) return undefined;
  const { host, port } = url
    ? { host: url.hostname, port: url.port === "" ? usualPorts[url.protocol] : Number(url.port) }
    : splitPort(text);
  const read = readHost(host);
  return read && { kind: "host", host: read.name, ...(port !== undefined && { port }) };
}
