// Sees which other machines a process and those it has started are connected to. Only Linux tells that to everybody.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { membersOf } from "./process-groups.ts";

/** Milliseconds between two looks: short at first, because most connections are. */
const lookEvery = 25;
const looksOften = 8;
const lookRarely = 100;
/** Descriptors of one process that are looked at. */
const mostDescriptors = 2_000;

/**
 * Watches until it is stopped; then come the addresses, never this machine's own. A connection that is opened and closed between
 * two looks is not seen, and none of those in `known`, to which it adds what it has looked at. `leader` has begun it all, and need
 * not be there any more.
 */
export function watchConnections(leader: number, known: Set<string> = new Set()): { stop(): string[] } {
  if (process.platform !== "linux") return { stop: () => [] };
  const seen = new Set<string>();
  let looks = 0;
  let timer = setTimeout(next, lookEvery).unref();

  function next(): void {
    look();
    timer = setTimeout(next, ++looks < looksOften ? lookEvery : lookRarely).unref();
  }

  function look(): void {
    const open = connections().filter(({ socket }) => !known.has(socket));
    if (open.length === 0) return;
    const theirs = socketsOf(leader, new Set(open.map(({ socket }) => socket)));
    for (const { socket, address } of open) {
      known.add(socket);
      if (theirs.has(socket)) seen.add(address);
    }
  }

  return {
    stop() {
      clearTimeout(timer);
      if (looks > 0) look();
      return [...seen];
    },
  };
}

interface Connection {
  /** The number of the socket, as descriptors name it. */
  socket: string;
  address: string;
}

/** Those with other machines, of everybody in the network that we are in. */
function connections(): Connection[] {
  return ["tcp", "tcp6"].flatMap((table) =>
    textOf(`/proc/self/net/${table}`)
      .split("\n")
      .slice(1)
      .flatMap((line) => {
        const [, local = "", remote = "", , , , , , , socket = "0"] = line.trim().split(/\s+/);
        const [here, there] = [local, remote].map((place) => addressIn(place.split(":")[0] ?? ""));
        return socket === "0" || !there || there === here || isHere(there) ? [] : [{ socket, address: there }];
      }),
  );
}

/** Those of the wanted sockets that one of the processes holds. */
function socketsOf(leader: number, wanted: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const pid of membersOf({ leader })) {
    for (const descriptor of listOf(`/proc/${pid}/fd`).slice(0, mostDescriptors)) {
      const socket = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${descriptor}`))?.[1];
      if (socket && wanted.has(socket)) found.add(socket);
    }
  }
  return found;
}

/** An address as the system writes it: groups of four bytes, each the wrong way round. */
export function addressIn(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, "hex").reverse()]);
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return "";
  if (/^0{20}ffff/.test(Buffer.from(bytes).toString("hex"))) return bytes.slice(12).join(".");
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[2 * at]! << 8) | bytes[2 * at + 1]!).toString(16));
  const long = groups.join(":");
  // The longest row of zeros is left out, as people write it.
  const zeros = [...long.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)]
    .map(([text]) => text)
    .sort((a, b) => b.length - a.length)[0];
  return zeros === undefined ? long : long.replace(zeros, "::").replace(/:{3,}/, "::");
}

function isHere(address: string): boolean {
  return address.startsWith("127.") || ["0.0.0.0", "::", "::1"].includes(address);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // it has just ended
  }
}

function listOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
