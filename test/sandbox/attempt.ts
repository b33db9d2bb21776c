// Tries attacks in a process of their own, as an administrator or as an ordinary user.

import { spawn } from "node:child_process";
import { chownSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lastingFolder } from "../support/lasting-folder.ts";
import { withoutNamespaces } from "../support/without-namespaces.ts";
import type { Outcome } from "./run-attacks.ts";

export const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
export interface Try {
  who: "administrator" | "ordinary user";
  level: "workspace" | "strict";
  /** Only those with this in their title. */
  only?: string;
  /** Without a write layer, the walls are all there is. */
  layer?: "checkpoint";
  /** Where nobody can make a namespace. */
  landlock?: boolean;
}

/** In front of a program that is to be theirs. */
export const as = ({ who }: Pick<Try, "who">): string[] =>
  isRoot && who === "ordinary user" ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];

export async function attempt(asked: Try): Promise<Outcome> {
  const { level, only = "", layer = "auto" } = asked;
  return JSON.parse(await runScript("run-attacks.ts", asked, [level, only, layer]));
}

/** What a script beside this one prints that is given a folder of its own, and these words. */
export async function runScript(
  name: string,
  asked: Pick<Try, "who" | "landlock">,
  words: readonly string[],
): Promise<string> {
  const base = lastingFolder("attacks-");
  const [hooks, script] = ["text-imports.mjs", name].map((each) => join(import.meta.dirname, each));
  const program = [process.execPath, "--import", hooks!, script!, base, ...words];
  if (as(asked).length > 0) chownSync(base, nobody, nobody);
  try {
    const [command, ...args] = [...(asked.landlock ? withoutNamespaces : []), ...as(asked), ...program];
    const child = spawn(command!, args, { cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
    let [out, problems] = ["", ""];
    child.stdout.on("data", (text: Buffer) => (out += text));
    child.stderr.on("data", (text: Buffer) => (problems += text));
    await new Promise((done) => child.once("close", done));
    if (out === "") throw new Error(problems);
    return out;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
