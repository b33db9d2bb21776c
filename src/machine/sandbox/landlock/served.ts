// Which ports of this machine are served by programs that are held back: those they may reach without anybody being asked.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { besideSessions, everyProcess } from "../../session-members.ts";

/** Whether all that listens at the port belongs to sessions of this process. */
export function isServedInside(port: number): boolean {
  const sockets = listeningAt(port);
  if (sockets.size === 0) return false;
  for (const pid of insiders()) for (const socket of socketsOf(pid)) sockets.delete(socket);
  return sockets.size === 0;
}

/** The kernel's numbers of the sockets that listen there, at whichever address. */
function listeningAt(port: number): Set<string> {
  const found = new Set<string>();
  for (const table of ["tcp", "tcp6"]) {
    let text = "";
    try {
      text = readFileSync(`/proc/self/net/${table}`, "latin1");
    } catch {}
    for (const line of text.split("\n").slice(1)) {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state === "0A" && Number.parseInt(local.split(":").at(-1)!, 16) === port) found.add(inode);
    }
  }
  return found;
}

/** Everything below the processes that stand beside our sessions. */
function insiders(): number[] {
  const all = everyProcess();
  const beside = besideSessions(all);
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  return [...parents.keys()].filter((pid) => {
    for (let at = parents.get(pid); at; at = parents.get(at)) if (beside.has(at)) return true;
    return false;
  });
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? [];
      } catch {
        return []; // It was closed meanwhile.
      }
    });
  } catch {
    return []; // It has ended meanwhile.
  }
}
