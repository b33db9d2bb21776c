// How the driver of a shell is started, and what it is told.

import { fileURLToPath } from "node:url";
import type { DriverCommand } from "../driver-protocol.ts";
import type { ShellName } from "./find-shell.ts";

const drivers: Record<ShellName, string> = {
  bash: fileURLToPath(new URL("./bash-driver.sh", import.meta.url)),
  zsh: fileURLToPath(new URL("./zsh-driver.sh", import.meta.url)),
  sh: fileURLToPath(new URL("./sh-driver.sh", import.meta.url)),
};

export function startArguments(name: ShellName): string[] {
  const read = (shell: ShellName) => `. '${drivers[shell].replaceAll("'", "'\\''")}'`;
  switch (name) {
    case "bash":
      return ["--noprofile", "--norc", "-c", read("bash"), "bash"];
    case "zsh":
      return ["-f", "-c", read("zsh"), "zsh"];
    case "sh": // which may be bash in disguise
      return ["-c", `if [ "$BASH_VERSION" ]; then ${read("bash")}; else ${read("sh")}; fi`, "sh"];
  }
}

/** What it should know of a block: `l` report the running line, `t` the block sets traps, `-` neither. */
export function kindOf(code: string): string {
  if (/\btrap\b|TRAP/.test(code)) return "t";
  // Our reports would show up in the trace of a block that asks for one.
  return /\bset\s+-\w*x|xtrace/.test(code) ? "-" : "l";
}

/** Where they cannot be listed: a function, or a file that may have some. */
export function mayDefineFunctions(code: string): boolean {
  return /[\w-]\s*\(\s*\)|(^|[\n;&|({]\s*)(\.|source|eval)\s/.test(code);
}

export function encodeAnswer({ id, text }: Extract<DriverCommand, { op: "answer" }>): string {
  if (text === null) return `${id} -\n`;
  const line = text.replaceAll("\0", "").replaceAll("\r\n", "\n").replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return `${id} +${line}\n`;
}
