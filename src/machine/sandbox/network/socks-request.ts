// The first words of a client that speaks SOCKS 5: a greeting, and what it wants to be connected with.

import type { Password, Request } from "./proxy.ts";

/** What is answered before it is known what is wanted, and what is said next. */
export type Greeting = { kind: "greeting"; answer: Buffer; rest: Buffer; next: Stage };
export type Stage = "greeting" | "password" | "wish";

/** An answer with that status; 0 means that it is connected. */
export const socksAnswer = (status: number): Buffer => Buffer.from([5, status, 0, 1, 0, 0, 0, 0, 0, 0]);

/** Undefined until enough is there. */
export function readSocks(said: Buffer, stage: Stage, password?: Password): Request | Greeting | undefined {
  if (stage === "wish") return readWish(said);
  return stage === "password" && password ? readPassword(said, password) : readGreeting(said, password);
}

function readGreeting(said: Buffer, password?: Password): Greeting | Request | undefined {
  const methods = said[1];
  if (methods === undefined || said.length < 2 + methods) return undefined;
  // Nobody has to say who they are, but where there is a password.
  const wanted = password ? 2 : 0;
  if (!said.subarray(2, 2 + methods).includes(wanted)) return { kind: "bad", answer: Buffer.from([5, 0xff]) };
  const rest = said.subarray(2 + methods);
  return { kind: "greeting", answer: Buffer.from([5, wanted]), rest, next: password ? "password" : "wish" };
}

function readPassword(said: Buffer, password: Password): Greeting | Request | undefined {
  const nameEnd = 2 + (said[1] ?? 0);
  const end = nameEnd + 1 + (said[nameEnd] ?? 0);
  if (said.length <= nameEnd || said.length < end) return undefined;
  const [name, word] = [said.toString("latin1", 2, nameEnd), said.toString("latin1", nameEnd + 1, end)];
  if (said[0] !== 1 || !password(name, word)) return { kind: "bad", answer: Buffer.from([1, 1]) };
  return { kind: "greeting", answer: Buffer.from([1, 0]), rest: said.subarray(end), next: "wish" };
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
