// What an interpreter's sandbox is made of: the level that was chosen, the person's rules, and whom to ask about hosts.

import { existsSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { loadRegistries, type SandboxRequest } from "../machine/index.ts";
import { openRules, places, type Rules } from "../settings/index.ts";
import { denyWins } from "./deny-wins.ts";
import type { InterpreterOptions } from "./options.ts";
import { workspaceFolders } from "./workspace-folders.ts";

export interface HostQuestion {
  host: string;
  port: number;
}

/** Asked when code wants to reach a host that no rule speaks of. */
export type AskHost = (
  question: HostQuestion,
  signal: AbortSignal,
) => Promise<"once" | "conversation" | "always" | "no">;

/** What walls refused: what was tried, and what would be allowed. */
export interface PathQuestion {
  kind: "read" | "write";
  path: string;
  allow: string;
}

/** Asked when walls have refused something to a block. */
export type AskPath = (
  question: PathQuestion,
  signal: AbortSignal,
) => Promise<"once" | "conversation" | "always" | "no">;

export interface Sandboxing {
  request: SandboxRequest;
  rules: Rules;
}

/** Throws InputProblem when something in the file or in a flag is wrong. */
export async function rulesFor(options: InterpreterOptions, cwd: string): Promise<Rules> {
  const { allowHost, allowWrite, allowRead, env = process.env } = options;
  const choices = {
    ...(allowHost && { allowHost }),
    ...(allowWrite && { allowWrite }),
    ...(allowRead && { allowRead }),
  };
  return (await openRules()).loadRules(places(env), { cwd, env, choices });
}

export async function sandboxingFor(
  options: InterpreterOptions,
  cwd: string,
  level: SandboxRequest["level"],
  /** Where sessions write what they hold. */
  state: string | undefined,
): Promise<Sandboxing> {
  const env = options.env ?? process.env;
  const { askHost } = options;
  const where = places(env);
  const rules = await rulesFor(options, cwd);
  // What code can write names no registry of the person's, and no program there is started to be asked.
  const workspace = [
    ...workspaceFolders(cwd, options.workspace),
    ...rules.paths("write", "allow"),
    ...["/tmp", "/var/tmp", tmpdir(), join(env.HOME ?? homedir(), ".cache")],
  ];
  const registries = (await loadRegistries()).registryHosts(env, cwd, { workspace });
  const judge: SandboxRequest["judge"] = async ({ host, port, addresses = [] }) => {
    if (options.offline) return { verdict: "deny", because: "with --offline nobody is reached", helps: [] };
    const { verdict, because, rule } = rules.judge({ kind: "host", host, port, addresses });
    if (verdict === "deny")
      return rule === undefined
        ? { verdict, because, helps: [] }
        : { verdict, because: `${because} (${rule})`, helps: [denyWins] };
    // A rule that asks is meant, whoever uses the host.
    if (verdict !== "ask" || rule !== undefined) return verdict;
    return registries.names(host, port) || (await registries.ask(host, port)) ? "allow" : "ask";
  };
  const ask: SandboxRequest["ask"] =
    askHost &&
    (async (target, signal) => {
      const said = await askHost(target, signal);
      // No more than what the question named: this host at this port.
      const pattern = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
      if (said === "conversation" || said === "always")
        await rules.remember({ verdict: "allow", kind: "host", pattern }, said);
      return said;
    });
  const request: SandboxRequest = {
    level,
    env,
    home: env.HOME ?? homedir(),
    config: where.config,
    data: where.data,
    ours: [dirname(dirname(fileURLToPath(import.meta.url)))],
    allowWrite: [...rules.paths("write", "allow"), ...(state ? [state] : [])],
    allowRead: [...rules.paths("read", "allow"), ...(level === "strict" ? pythonPlaces(options.python, env) : [])],
    denyRead: rules.paths("read", "deny"),
    judge,
    ask,
  };
  return { request, rules };
}

/** Where the chosen Python lies, and what it belongs to: with `strict`, nothing else would show it. Never a whole home folder. */
function pythonPlaces(python: string | undefined, { HOME = homedir() }: NodeJS.ProcessEnv): string[] {
  if (!python?.includes("/") || !existsSync(python)) return [];
  const isAroundHome = (folder: string): boolean => `${HOME}/`.startsWith(`${folder.replace(/\/$/, "")}/`);
  return [resolve(python), realpathSync(python)].map((path) => {
    const prefix = dirname(dirname(path));
    return isAroundHome(prefix) ? path : prefix;
  });
}
