// The first words of a client that speaks SOCKS 5: a greeting, and what it wants to be connected with.

import type { Request } from "./proxy.ts";

export type Greeting = { kind: "greeting"; answer: Buffer; rest: Buffer };

/** An answer with that status; 0 means that it is connected. */
export const socksAnswer = (status: number): Buffer => Buffer.from([5, status, 0, 1, 0, 0, 0, 0, 0, 0]);

/** Undefined until enough is there. */
export function readSocks(said: Buffer, greeted: boolean): Request | Greeting | undefined {
  return greeted ? readWish(said) : readGreeting(said);
}

function readGreeting(said: Buffer): Greeting | Request | undefined {
  const methods = said[1];
  if (methods === undefined || said.length < 2 + methods) return undefined;
  // Nobody has to say who they are.
  if (!said.subarray(2, 2 + methods).includes(0)) return { kind: "bad", answer: Buffer.from([5, 0xff]) };
  return { kind: "greeting", answer: Buffer.from([5, 0]), rest: said.subarray(2 + methods) };
}

function readWish(said: Buffer): Request | undefined {
  if (said.length < 5) return undefined;
  const [version, command, , type] = said;
  if (version !== 5 || command !== 1) return { kind: "bad", answer: socksAnswer(7) };
  const length = type === 1 ? 4 : type === 4 ? 16 : type === 3 ? 1 + said[4]! : 0;
  if (length === 0) return { kind: "bad", answer: socksAnswer(8) };
  if (said.length < 4 + length + 2) return undefined;
  const address = said.subarray(4, 4 + length);
  const port = said.readUInt16BE(4 + length);
  const host = type === 3 ? address.subarray(1).toString("latin1").toLowerCase() : inWords(address);
  return { kind: "tunnel", target: { host, port }, rest: said.subarray(6 + length) };
}

const inWords = (address: Buffer): string =>
  address.length === 4
    ? [...address].join(".")
    : Array.from({ length: 8 }, (_, index) => address.readUInt16BE(index * 2).toString(16)).join(":");
