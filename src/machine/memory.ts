// How much memory a process uses now.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

/** Resident memory in bytes; undefined where the system does not say. */
export async function memoryOf(pid: number): Promise<number | undefined> {
  if (process.platform === "linux") {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    return kilobytes(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
  }
  if (process.platform === "win32") {
    const row = await ask("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"]);
    return kilobytes(/"([\d.,\s]+) K"\s*$/.exec(row)?.[1]?.replace(/\D/g, ""));
  }
  return kilobytes(/\d+/.exec(await ask("ps", ["-o", "rss=", "-p", String(pid)]))?.[0]);
}

function kilobytes(text: string | undefined): number | undefined {
  return text ? Number(text) * 1024 : undefined;
}

function ask(command: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: 2_000, windowsHide: true }, (error, stdout) => resolve(error ? "" : stdout));
  });
}
