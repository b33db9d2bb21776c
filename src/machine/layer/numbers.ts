// Numbers of processes that count for themselves: inside of a namespace a process calls itself otherwise than we call it.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The process that another one has started to wait for it, if it has. */
export function childOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]) || undefined;
  } catch {
    return undefined;
  }
}

/** What we call the process that calls itself `inner`, where the one with our number `there` lives too. */
export function outsideNumber(inner: number, there: number): number | undefined {
  const place = placeOf(there);
  if (place === undefined) return undefined;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => innerNumber(pid) === inner && placeOf(pid) === place);
}

function innerNumber(pid: number): number | undefined {
  try {
    return Number(/^NSpid:.*\s(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]);
  } catch {
    return undefined; // It has ended meanwhile.
  }
}

function placeOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}
