// The doors of other programs: sockets in the file system that somebody listens at.

import { existsSync, readFileSync } from "node:fs";

const listening = 0x10000;

export function listeningSockets(): string[] {
  let table: string;
  try {
    table = readFileSync("/proc/net/unix", "utf8");
  } catch {
    return [];
  }
  const paths = table
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , flags = "0", , , , path]) => path?.startsWith("/") && Number.parseInt(flags, 16) & listening)
    .map((columns) => columns.slice(7).join(" "));
  return [...new Set(paths)].filter((path) => existsSync(path));
}
