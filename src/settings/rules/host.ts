// Hosts as they are meant, however they are written: letters of other alphabets, numbers in odd notations, one address inside of
// another; and what kind of place an address is.

import { BlockList, isIPv4, isIPv6 } from "node:net";

export interface Host {
  /** In lower case, in plain letters, without a dot at the end; an address in its usual notation. */
  name: string;
  address?: "ipv4" | "ipv6";
  /** The older address that a newer one is only a way to. */
  inner?: string;
}

/** Undefined when it is no host. */
export function readHost(written: string): Host | undefined {
  // The part of an address behind % only says which cable is meant.
  const bare = written.replace(/^\[(.*)\]$/, "$1").replace(/(:.*)%[\w.-]+$/, "$1");
  // What may stand in the text of an address on the web and would end the host there is never part of one.
  if (bare === "" || /[\s/?#@\\%\p{Cc}]/u.test(bare)) return undefined;
  const sixth = bare.includes(":");
  if (sixth && !isIPv6(bare)) return undefined;
  const read = URL.parse(`http://${sixth ? `[${bare}]` : bare}/`)?.hostname;
  if (!read) return undefined;
  if (sixth) return ofSixth(read.slice(1, -1));
  const name = read.replace(/\.$/, "");
  if (isIPv4(name)) return { name, address: "ipv4" };
  const labels = name.split(".");
  return name.length <= 253 && labels.every((label) => /^[\w-]{1,63}$/.test(label)) ? { name } : undefined;
}

function ofSixth(name: string): Host {
  const groups = groupsOf(name);
  const embedded = (at: number): string => {
    const [high, low] = [groups[at]!, groups[at + 1]!];
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  };
  const begins = (...start: number[]): boolean => start.every((group, index) => groups[index] === group);
  // Mapped: the very same machine is reached.
  if (begins(0, 0, 0, 0, 0, 0xffff)) return { name: embedded(6), address: "ipv4" };
  const compatible = begins(0, 0, 0, 0, 0, 0) && groups[6] !== 0;
  if (compatible || begins(0x64, 0xff9b, 0, 0, 0, 0)) return { name, address: "ipv6", inner: embedded(6) };
  if (begins(0x2002)) return { name, address: "ipv6", inner: embedded(1) };
  return { name, address: "ipv6" };
}

function groupsOf(name: string): number[] {
  const [before = "", after] = name.split("::");
  const read = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [start, end] = [read(before), read(after ?? "")];
  return [...start, ...new Array<number>(8 - start.length - end.length).fill(0), ...end];
}

/**
 * `forbidden`: where clouds hand out keys to whoever asks, and what is only ever meant for the next cable. `here`: this machine.
 * `private`: networks that strangers cannot see.
 */
export type HostPlace = "forbidden" | "here" | "private" | "public";

export function placeOf({ name, address, inner }: Host): HostPlace {
  if (inner !== undefined) {
    const through = placeOf({ name: inner, address: "ipv4" });
    if (through !== "public") return through;
  }
  if (address)
    return (["forbidden", "here", "private"] as const).find((place) => lists()[place].check(name, address)) ?? "public";
  if (name === "metadata.google.internal") return "forbidden";
  if (name === "localhost" || name.endsWith(".localhost")) return "here";
  return !name.includes(".") || /\.(local|lan|internal|intranet|home\.arpa)$/.test(name) ? "private" : "public";
}

const networks = {
  forbidden: [
    "169.254.0.0/16",
    "fe80::/10",
    "fd00:ec2::254/128",
    "100.100.100.200/32",
    "168.63.129.16/32",
    "192.0.0.192/32",
  ],
  here: ["127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128"],
  private: [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "198.18.0.0/15",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "fc00::/7",
    "fec0::/10",
    "ff00::/8",
  ],
} as const;

let made: Readonly<Record<keyof typeof networks, BlockList>> | undefined;

function lists() {
  made ??= { forbidden: listOf(networks.forbidden), here: listOf(networks.here), private: listOf(networks.private) };
  return made;
}

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = "", bits] = subnet.split("/");
    list.addSubnet(network, Number(bits), network.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
