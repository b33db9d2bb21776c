// Walls where namespaces are refused: each process of a session is held back by Landlock and seccomp, put on in front of it. What is
// allowed later holds for processes that are started later: rules cannot be widened.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Protection } from "../../effects/protection.ts";
import { quote } from "../../layer/holder.ts";
import { isWithin } from "../../layer/mounts.ts";
import { childOf } from "../../layer/numbers.ts";
import { raw } from "../../undo/names.ts";
import { barsFor } from "../later.ts";
import { openOutsideGate } from "../network/outside-gate.ts";
import type { Target } from "../network/proxy.ts";
import { unreachedIn } from "../network/unreached.ts";
import type { Sandbox, SandboxRequest } from "../open.ts";
import { refusalsIn } from "../refusals.ts";
import { followFolders } from "../relative.ts";
import { risksIn } from "../risks.ts";
import { pendingWithout } from "../take-back.ts";
import { bound } from "../walled.ts";
import { type Walls, wallsFor } from "../walls.ts";
import { findLauncher } from "./launcher.ts";
import { closedFolders, rulesFor } from "./rules.ts";
import { isServedInside } from "./served.ts";

export interface LandlockRequest extends SandboxRequest {
  /** Why there are no other walls, in a sentence. */
  because: string;
}

/** The same protection with walls around it, or a sentence where there can be none. */
export async function openLandlock(protection: Protection, request: LandlockRequest): Promise<Protection | string> {
  const { roots } = protection;
  const { level, home } = request;
  const cache = join(home, ".cache");
  if (level === "workspace") makeFolder(cache);
  // Known once, before code has run: what it puts in the place of a folder meanwhile leads nowhere else.
  const walls = wallsFor({ ...request, env: withoutAgent(request.env), roots, layered: false, missing: true });
  const bars = barsFor({ ...request, roots });
  /** What the person has allowed since, where it really lies. */
  const allowed = { write: new Map<string, string>(), read: new Map<string, string>() };
  const wallsNow = (): Walls => ({
    ...walls,
    writable: [...walls.writable, ...allowed.write.values()],
    shown: [...walls.shown, ...allowed.read.values(), ...allowed.write.values()],
  });
  const shared = [...new Set(["/tmp", "/var/tmp", tmpdir()].flatMap(realOf))];
  const launcher = await findLauncher([...roots, ...shared, ...walls.writable]);
  if (typeof launcher === "string") return launcher;
  const readOnly = protection.kind === "read-only";
  const closed = closedFolders({ walls, roots, temporary: shared, readOnly });
  // Where nothing new can be made in them, there is one of its own.
  const own = closed.some(({ folder }) => shared.includes(folder)) ? mkdtempSync(join(shared[0]!, "oi-")) : undefined;
  const temporary = own ? [...shared, own] : shared;

  const ports = new Set<number>();
  /** Addresses of this machine that were not only asked for what code serves itself. */
  const foreign = new Set<string>();
  const judge: SandboxRequest["judge"] = (target) => {
    if (isHere(target) && (ports.has(target.port) || isServedInside(target.port))) return "allow";
    foreign.add(target.host);
    return request.judge(target);
  };
  const gate = level === "strict" ? undefined : await openOutsideGate({ judge, ask: request.ask });
  const env: Record<string, string> = {
    ...gate?.env,
    ...(own && { TMPDIR: own }),
    ...(level === "workspace" && { MPLCONFIGDIR: join(cache, "matplotlib") }),
  };
  const way = gate && { _OI_WAY: wayOf(gate.env.HTTP_PROXY!) };
  const words = (network: boolean) =>
    launcher.words(rulesFor({ walls: wallsNow(), roots, temporary, readOnly }), network);

  const allow = async (kind: "read" | "write", path: string): Promise<string> => {
    const [place] = realOf(path);
    if (place === undefined) return `There is no ${path}`;
    allowed[kind].set(path, place);
    if (kind === "write") bars.allowed.push(place);
    return restart;
  };
  const foldersOf = followFolders(request.home);
  const sandbox: Sandbox = {
    level,
    apart: true,
    news: [standing(request.because), ...closed.filter(({ folder }) => roots.includes(folder)).map(isClosed)],
    ready: () => Promise.resolve(),
    held: [],
    bars,
    env,
    take() {
      const { reached, refused } = gate?.take() ?? { reached: [], refused: [] };
      const told = reached.filter((host) => !isHere({ host }) || foreign.has(host));
      foreign.clear();
      return { reached: told, refused: refused.map(({ why }) => why) };
    },
    refusalsIn: (output, doing) => {
      const now = wallsNow();
      const from = foldersOf(doing);
      return refusalsIn(output, { walls: now, open: [...roots, ...temporary, ...now.writable], says: denied, from });
    },
    unreachedIn: (output, code) => unreachedIn(output, { code, network: gate !== undefined }),
    allowWrite: (path) => allow("write", path),
    allowRead: (path) => allow("read", path),
    async takeBack(kind, path) {
      const place = allowed[kind].get(path);
      allowed[kind].delete(path);
      const at = kind === "write" ? bars.allowed.lastIndexOf(place ?? path) : -1;
      if (at >= 0) bars.allowed.splice(at, 1);
    },
    async allowPort(port) {
      if (!gate) return "There is no network at this level.";
      ports.add(port);
      return undefined;
    },
    // Terminals cannot be told apart from those of the person.
    showTerminal: async () => undefined,
    risksIn: (paths) => risksIn(paths, { roots, view: (path) => path }),
    close() {
      gate?.close();
      if (own) removeEmpty(own);
    },
  };
  return {
    ...bound(protection),
    sandbox,
    withoutSudo: true,
    enter(asked) {
      const [command, ...args] = words(gate !== undefined);
      const entered = protection.enter({
        ...asked,
        command,
        args: [...args, asked.command, ...asked.args],
        env: launcher.env({ ...asked.env, ...env, ...way }),
      });
      return { ...entered, numbers: { leader: programOf, outside: (inner) => inner } };
    },
    pending: () => pendingWithout(protection, { bars, run: (...line) => runIn(words(false), line, roots) }),
    async close() {
      await protection.close();
      sandbox.close();
    },
  };
}

/** One process waits for it, and one stands beside it. */
const programOf = (started: number): number | undefined => {
  const beside = childOf(started);
  return beside === undefined ? undefined : childOf(beside);
};

const standing = (because: string): string =>
  `Code is held back by Landlock, which is less than the usual sandbox. That cannot be put up here: ${because} What differs is told in docs/security.md.`;

const isClosed = ({ folder, because }: { folder: string; because: string }): string =>
  `Code can make nothing new right in ${folder}, because ${because} is not for it to touch; in other folders there it can. It is better to start in a folder of its own.`;

const restart = "sessions that run keep the walls they were started with, and %restart starts one anew";

const denied = /permission denied|EACCES/i;

/** Sockets of other programs are not connected to, wherever they lie. */
const withoutAgent = ({ SSH_AUTH_SOCK: _agent, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => env;

const isHere = ({ host }: Pick<Target, "host">): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);

/** The port of the proxy, and what is said to it. */
function wayOf(proxy: string): string {
  const { port, username, password } = new URL(proxy);
  return `${port} Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/**
 * What is run is told to a shell: names need not be text. Folders that nobody may look into are opened, should they be in the way.
 * Resolves with what went wrong.
 */
const runIn = (
  [command, ...args]: readonly string[],
  line: readonly string[],
  roots: readonly string[],
): Promise<string | undefined> =>
  new Promise((resolve) => {
    const env = { PATH: `${process.env.PATH ?? ""}:/usr/bin:/bin` };
    const shell = execFile(command!, [...args, "sh"], { cwd: "/", env }, (error, _, problems) =>
      resolve(error ? problems.trim() || error.message : undefined),
    );
    const words = line.map(quote).join(" ");
    const opening = foldersTo(line.at(-1)!, roots).map((path) => `chmod u+rwx -- ${quote(path)}`);
    const again = [...opening, words].join("; ");
    shell.stdin?.on("error", () => {}).end(raw(`nl='\n'\n${words} 2>/dev/null || { ${again}; }`));
  });

/** What is in the workspace on the way to a place, from outside to inside, and the place itself. */
function foldersTo(path: string, roots: readonly string[]): string[] {
  if (!roots.some((root) => path !== root && isWithin(path, root))) return [];
  return [...foldersTo(dirname(path), roots), path];
}

/** A home that cannot be written needs none. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {}
}

/** What programs were left there is left. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}

function realOf(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
