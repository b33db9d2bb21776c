// Patterns of hosts: `example.org`, `*.example.org`, `localhost:8000`, `10.0.0.0/8`, `[fd00::1]:443`, `*`. Names match by whole labels.

import { BlockList } from "node:net";
import { InputProblem } from "../problem.ts";
import { type Host, placeOf, readHost } from "./host.ts";

export interface HostPattern {
  /** As it is kept. */
  text: string;
  port?: number | undefined;
  what:
    | { type: "any" }
    | { type: "name"; name: string }
    /** Everything below the name, and not the name itself. */
    | { type: "below"; name: string }
    | { type: "network"; covers(host: Host): boolean };
}

/** `where` begins the message of a problem. */
export function readHostPattern(written: string, where: string): HostPattern {
  const text = written.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const near = URL.parse(text)?.host;
    throw new InputProblem(
      `${where}${JSON.stringify(written)} is a web address, and a rule names a host.`,
      near && `Did you mean ${near}?`,
    );
  }
  const { host, port } = splitPort(text);
  const wrong = (hint: string): InputProblem =>
    new InputProblem(`${where}${JSON.stringify(written)} is no host.`, hint);
  if (port !== undefined && (port < 1 || port > 65_535)) throw wrong("A port is a number from 1 to 65535.");
  const after = port === undefined ? "" : `:${port}`;
  if (host === "*") return { text: `*${after}`, port, what: { type: "any" } };
  if (host.includes("/")) return { text: `${host}${after}`, port, what: readNetwork(host, wrong) };
  const below = host.startsWith("*.");
  const read = readHost(below ? host.slice(2) : host);
  if (host.replace(/^\*\./, "").includes("*") || (below && read?.address))
    throw wrong('* stands for whole labels, and only in front: "*.example.org".');
  if (!read) throw wrong("For example: example.org, *.example.org, localhost:8000 or 10.0.0.0/8.");
  const shown = `${below ? "*." : ""}${read.address === "ipv6" && after ? `[${read.name}]` : read.name}${after}`;
  return { text: shown, port, what: { type: below ? "below" : "name", name: read.name } };
}

/** A host with or without a port, as people write both: `[::1]:80`, `::1`, `example.org:443`. */
export function splitPort(text: string): { host: string; port: number | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(text);
  if (bracketed) return { host: bracketed[1]!, port: bracketed[2] === undefined ? undefined : Number(bracketed[2]) };
  const [, host, port] = /^([^:]*):(\d+)$/.exec(text) ?? [undefined, text, undefined];
  return { host: host!, port: port === undefined ? undefined : Number(port) };
}

function readNetwork(written: string, wrong: (hint: string) => InputProblem): HostPattern["what"] {
  const [, network = "", length] = /^(.*)\/(\d{1,3})$/.exec(written) ?? [];
  const host = readHost(network);
  const bits = Number(length);
  if (!host?.address || bits > (host.address === "ipv4" ? 32 : 128))
    throw wrong("A network is written 10.0.0.0/8 or fd00::/8.");
  const list = new BlockList();
  list.addSubnet(host.name, bits, host.address);
  const covers = ({ name, address }: Host): boolean => address !== undefined && list.check(name, address);
  return { type: "network", covers };
}

/** Whether it names this host. `widely`: as a rule that forbids reads it, which also looks through one address at another. */
export function matchesHost(
  { what, port: only }: HostPattern,
  host: Host,
  port: number | undefined,
  widely: boolean,
): boolean {
  if (only !== undefined && only !== port) return false;
  if (what.type === "any") return widely || placeOf(host) === "public";
  if (widely && host.inner !== undefined && matchesName(what, { name: host.inner, address: "ipv4" })) return true;
  return matchesName(what, host);
}

function matchesName(what: Exclude<HostPattern["what"], { type: "any" }>, host: Host): boolean {
  if (what.type === "network") return what.covers(host);
  if (what.type === "name") return host.name === what.name;
  return host.address === undefined && host.name.endsWith(`.${what.name}`);
}

/** Whether the pattern names this very host or address, or the network that it is in. */
export const namesExactly = ({ what }: HostPattern, host: Host): boolean =>
  (what.type === "name" || what.type === "network") && matchesName(what, host);
