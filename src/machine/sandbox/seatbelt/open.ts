// Walls on macOS: the system's own sandbox (Seatbelt) is put around each process of a session, by `sandbox-exec` in front of it. What is
// allowed later holds for processes that are started later: a profile cannot be widened.

import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Protection } from "../../effects/protection.ts";
import { isWithin } from "../../layer/mounts.ts";
import { barsFor } from "../later.ts";
import { openOutsideGate } from "../network/outside-gate.ts";
import { unreachedIn } from "../network/unreached.ts";
import type { Sandbox, SandboxRequest } from "../open.ts";
import { refusalsIn } from "../refusals.ts";
import { followFolders } from "../relative.ts";
import { risksIn } from "../risks.ts";
import { pendingWithout } from "../take-back.ts";
import { bound } from "../walled.ts";
import { wallsFor } from "../walls.ts";
import { profile } from "./profile.ts";
import { whyNotHeld } from "./try-walls.ts";

/** What differs where it is only looked at. */
export interface Mac {
  /** The program that puts a process into a sandbox. */
  program: string;
  /** Where temporary files go: for everybody, and for this user alone. */
  temporary: readonly string[];
}

export const thisMac = (): Mac => ({
  program: "/usr/bin/sandbox-exec",
  temporary: ["/tmp", "/var/tmp", tmpdir(), ...usersTemporary()],
});

/** The same protection with walls around it, or a sentence where there can be none. They are tried before anything relies on them. */
export async function openSeatbelt(
  protection: Protection,
  request: SandboxRequest,
  mac: Mac = thisMac(),
): Promise<Protection | string> {
  const walled = await raiseSeatbelt(protection, request, mac);
  const problem = await whyNotHeld(walled, request.home);
  if (problem === undefined) return walled;
  walled.sandbox.close();
  return `The walls of the sandbox cannot be put up: ${problem}.`;
}

type Walled = Protection & { sandbox: Sandbox };

export async function raiseSeatbelt(protection: Protection, request: SandboxRequest, mac: Mac): Promise<Walled> {
  const { roots } = protection;
  const { level, home } = request;
  const temporary = unique(mac.temporary.flatMap(realOf));
  // Names of sockets are short.
  const own = mkdtempSync(join(temporary[0]!, "oi-"));
  const gate = level === "strict" ? undefined : await openOutsideGate({ judge: request.judge, ask: request.ask });
  const ports: number[] = [];
  const allowed = { write: [...request.allowWrite], read: [...request.allowRead] };
  const bars = barsFor({ ...request, roots });
  const walls = () =>
    wallsFor({ ...request, allowWrite: allowed.write, allowRead: allowed.read, roots, missing: true });
  const text = () => profile({ walls: walls(), roots, temporary, own, proxy: gate?.port, ports });
  const env = {
    ...gate?.env,
    TMPDIR: own,
    MPLCONFIGDIR: join(level === "strict" ? own : join(home, "Library", "Caches"), "matplotlib"),
  };

  const allow = async (kind: "read" | "write", path: string): Promise<string> => {
    allowed[kind].push(path);
    if (kind === "write") bars.allowed.push(path);
    return restart;
  };
  const foldersOf = followFolders(request.home);
  const sandbox: Sandbox = {
    level,
    ready: () => Promise.resolve(),
    held: [],
    apart: true,
    bars,
    env,
    take() {
      const { reached, refused } = gate?.take() ?? { reached: [], refused: [] };
      return { reached, refused: refused.map(({ why }) => why) };
    },
    refusalsIn: (output, doing) => {
      const now = walls();
      const from = foldersOf(doing);
      return refusalsIn(output, {
        walls: now,
        open: [...roots, ...temporary, ...now.writable],
        says: notPermitted,
        from,
      });
    },
    unreachedIn: (output, code) => unreachedIn(output, { code, network: gate !== undefined }),
    allowWrite: (path) => allow("write", path),
    allowRead: (path) => allow("read", path),
    async takeBack(kind, path) {
      const at = allowed[kind].lastIndexOf(path);
      if (at >= 0) allowed[kind].splice(at, 1);
    },
    async allowPort(port) {
      if (!gate) return "There is no network at this level.";
      ports.push(port);
      // What speaks to the proxy is let through already.
      return undefined;
    },
    // A terminal that is opened later cannot be let in.
    showTerminal: async () => undefined,
    risksIn: (paths) => risksIn(paths, { roots, view: (path) => path }),
    close() {
      gate?.close();
      removeEmpty(own);
    },
  };
  return {
    ...bound(protection),
    sandbox,
    withoutSudo: true,
    enter(asked) {
      const args = ["-p", text(), asked.command, ...asked.args];
      return { ...asked, command: mac.program, args, env: { ...asked.env, ...env } };
    },
    pending: () =>
      pendingWithout(protection, { bars, run: (...command) => runIn([mac.program, "-p", text(), ...command]) }),
    async close() {
      await protection.close();
      sandbox.close();
    },
  };
}

/** Resolves with what went wrong. */
const runIn = ([command, ...args]: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(command!, args, (error, _, problems) => resolve(error ? problems.trim() || error.message : undefined));
  });

const restart = "sessions that run keep the walls they were started with, and %restart starts one anew";

const notPermitted = /operation not permitted|EPERM/i;

/** What programs were left there is left. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {}
}

function usersTemporary(): string[] {
  try {
    return [execFileSync("/usr/bin/getconf", ["DARWIN_USER_TEMP_DIR"], { encoding: "utf8", timeout: 5_000 }).trim()];
  } catch {
    return [];
  }
}

function realOf(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

const unique = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter((path, _, all) => !all.some((other) => other !== path && isWithin(path, other)));
