// Searches with ripgrep, where the person has it.

import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import type { Process } from "../../machine/index.ts";
import { ComputerFault, type Context } from "../module.ts";
import { glob } from "./glob.ts";
import type { Found, Hit, Query } from "./search.ts";

const exclude = ["--hidden", "--no-require-git", "--glob", "!**/.git/**", "--glob", "!**/node_modules/**"];

export async function findRipgrep(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  for (const folder of (env.PATH ?? env.Path ?? "").split(delimiter)) {
    if (folder === "") continue;
    const path = join(folder, name);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return undefined;
}

export async function searchWithRipgrep(command: string, query: Query, context: Context): Promise<Found> {
  const { pattern, root, target, filter, literal, matchCase, limit } = query;
  const byName = filter !== undefined && !filter.includes("/");
  const inPath = filter !== undefined && !byName ? glob(filter) : () => true;
  const args = [
    "--json",
    "--no-config",
    ...(literal ? ["--fixed-strings"] : []),
    matchCase ? "--case-sensitive" : "--ignore-case",
    ...exclude,
    // As a type of file, because a glob given to it would bring back what .gitignore names.
    ...(byName ? ["--type-add", `wanted:${filter}`, "--type", "wanted"] : []),
    "--regexp",
    pattern,
    "--",
    target,
  ];
  const hits: Hit[] = [];
  let cut = false;
  const problem = await run(command, args, root, context, (line) => {
    const hit = readMatch(line);
    if (!hit || !inPath(hit.path)) return true;
    if (hits.length < limit) hits.push(hit);
    else cut = true;
    return !cut;
  });
  if (problem && hits.length === 0) throw new ComputerFault("ValueError", `The search failed: ${problem}`);
  return { hits, cut };
}

export async function listWithRipgrep(
  command: string,
  root: string,
  context: Context,
  take: (path: string) => boolean,
): Promise<void> {
  const clean = (path: string) => path.replace(/^\.[\\/]/, "").replaceAll("\\", "/");
  const onLine = process.platform === "win32" ? (line: string) => take(clean(line)) : (line: string) => take(line);
  await run(command, ["--files", "--no-config", "--sort", "path", ...exclude], root, context, onLine);
}

/** Runs it until it ends or `onLine` says that it is enough. Returns what it complained about, if that was grave. */
async function run(
  command: string,
  args: string[],
  cwd: string,
  { machine, env, signal }: Context,
  onLine: (line: string) => boolean,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const child: Process = await machine.spawn({ command, args, cwd, env });
  const stop = () => void child.signal("SIGKILL");
  signal.addEventListener("abort", stop);
  let complaint = "";
  child.stderr.on("data", (piece: Buffer) => {
    if (complaint.length < 2_000) complaint += piece.toString("utf8");
  });
  let enough = false;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (enough || onLine(line)) continue;
      enough = true;
      stop();
    }
    const { code } = await child.exited;
    signal.throwIfAborted();
    return !enough && code !== 0 && code !== 1 ? complaint.trim().slice(0, 2_000) : undefined;
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

function readMatch(line: string): Hit | undefined {
  try {
    const { type, data } = JSON.parse(line);
    if (type !== "match") return undefined;
    const text = (given: { text?: string; bytes?: string }) =>
      given.text ?? Buffer.from(given.bytes ?? "", "base64").toString("utf8");
    const path = text(data.path).replace(/^\.[\\/]/, "");
    return { path, line: Number(data.line_number), text: text(data.lines).replace(/\r?\n$/, "") };
  } catch {
    return undefined;
  }
}
