// What programs say when they reach nobody from inside of a sandbox, and what helps: they know no proxy, there is no network, or it is
// a port of this machine.

import { listeningPorts } from "./publish.ts";

export interface UnreachedRequest {
  /** What ran: it may name a port that the complaint does not. */
  code: string;
  /** Whether there is a way out at all. */
  network: boolean;
}

const noWay =
  /network is unreachable|ENETUNREACH|temporary failure in name resolution|EAI_AGAIN|name or service not known|ENOTFOUND|nodename nor servname|could not (?:resolve|translate) host/i;
const nobodyThere = /connection refused|ECONNREFUSED|couldn't connect to server|could not connect to server/i;
const ports = /(?:localhost|127\.0\.0\.1|\[?::1\]?)\W{1,6}(?:port\W{1,4})?(\d{2,5})(?!\d)/gi;

const mostPorts = 5;

/** Sentences for the person. */
export function unreachedIn(output: string, { code, network }: UnreachedRequest): string[] {
  const lines = output.split("\n");
  const lost = lines.some((line) => noWay.test(line));
  const refused = lines.filter((line) => nobodyThere.test(line));
  if (!network) return lost || refused.length > 0 ? [withoutNetwork] : [];
  const there = refused.length === 0 ? new Set<number>() : listeningPorts("self");
  const named = refused.map(portsIn).find((found) => found.length > 0) ?? portsIn(code);
  const closed = [...new Set(named)].filter((port) => there.has(port)).slice(0, mostPorts);
  return [...(lost ? [withoutProxy] : []), ...closed.map(portClosed)];
}

export const withoutNetwork = "At --sandbox strict there is no network.";

const withoutProxy =
  "This program does not use the proxy, which is the only way out of the sandbox (HTTP_PROXY and ALL_PROXY name it). For a database or the like, open a tunnel outside (ssh -L 5432:localhost:5432 HOST) and say /allow host localhost:5432; or start with --sandbox off.";

const portClosed = (port: number): string =>
  `Port ${port} of this machine is not reached from inside the sandbox. To allow it: /allow host localhost:${port}`;

const portsIn = (text: string): number[] =>
  [...text.slice(0, 100_000).matchAll(ports)].map(([, port]) => Number(port)).filter((port) => port < 65_536);
