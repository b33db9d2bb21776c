// A sandbox that is up: what code inside may do, who it reached, what it was refused, and what is allowed it later.

import { mkdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Holder, quote } from "../layer/holder.ts";
import { isWithin } from "../layer/mounts.ts";
import { showTerminal } from "./devices.ts";
import { type Gate, type GateRequest, openGate } from "./network/gate.ts";
import { blankFile, raiseWalls } from "./raise.ts";
import { risksIn } from "./risks.ts";
import { coverSockets } from "./sockets.ts";
import { type Level, type Walls, wallsFor } from "./walls.ts";

export interface SandboxRequest {
  level: Level;
  env: NodeJS.ProcessEnv;
  home: string;
  /** Our own: settings and keys, and what is kept of conversations. */
  config: string;
  data: string;
  /** Where our own programs lie. */
  ours: readonly string[];
  allowWrite: readonly string[];
  allowRead: readonly string[];
  denyRead: readonly string[];
  /** What rules say of a host, and the person where they say nothing. */
  judge: GateRequest["judge"];
  ask?: GateRequest["ask"];
}

export interface Sandbox {
  readonly level: Level;
  /** Settles when there is the way out that it has: whoever may need it waits for it. */
  ready(): Promise<void>;
  /** Places in the workspace that are mounts: the kernel holds them and the folders around them, as a process would. */
  readonly held: readonly string[];
  /** What processes inside must know. */
  readonly env: Readonly<Record<string, string>>;
  /** Hosts that were reached since the last call, and sentences about what was refused. */
  take(): { reached: string[]; refused: string[] };
  /** What an output says of things that the walls forbid: what was tried, and how it is allowed. */
  refusalsIn(output: string): string[];
  /** Lets code write somewhere from now on. Resolves with what went wrong, in words, or with undefined. */
  allowWrite(path: string): Promise<string | undefined>;
  /** Lets code see something that was hidden. */
  allowRead(path: string): Promise<string | undefined>;
  /** Lets code reach what listens at a port of this machine. */
  allowPort(port: number): Promise<string | undefined>;
  /** Under which name a terminal of this machine is found inside. */
  showTerminal(path: string): Promise<string | undefined>;
  /** Sentences about those of the changed files that run as the person, outside, without being asked for. */
  risksIn(paths: readonly string[]): string[];
  close(): void;
}

const blankNumber = 8;

/** Resolves with a sentence where it cannot be put up. */
export async function openSandbox(
  holder: Holder,
  request: SandboxRequest,
  roots: readonly string[],
  scratch: string,
  { layered = true }: { layered?: boolean } = {},
): Promise<Sandbox | string> {
  const { level, home } = request;
  const cache = join(home, ".cache");
  if (level === "workspace") makeFolder(cache);
  // What the layer has caught lies there.
  const denyRead = [...request.denyRead, dirname(scratch)];
  const walls = wallsFor({ ...request, denyRead, roots, layered });
  const temporary = [...new Set(["/tmp", "/var/tmp", tmpdir()].map(realOf))].filter((path) => path !== undefined);
  // Held by a number: its folder is hidden by the walls.
  await holder.run("eval", `exec ${blankNumber}<${quote(blankFile(scratch))}`);
  const blank = `/proc/self/fd/${blankNumber}`;
  const sockets = coverSockets(holder, blank, roots);
  const problem = await raiseWalls({ holder, walls, roots, temporary, blank, more: sockets.now });
  if (problem !== undefined) return `The walls of the sandbox cannot be put up: ${problem}.`;
  const stopCovering = sockets.goOn();
  // Whoever listens there first inside only takes the way out away from themselves.
  const gate: Gate | undefined = walls.network
    ? openGate({ holder, judge: request.judge, ask: request.ask })
    : undefined;
  return {
    level,
    held: walls.fixed.filter((path) => roots.some((root) => isWithin(path, root))),
    ready: gate?.ready ?? (() => Promise.resolve()),
    env: { ...gate?.env, ...(level === "workspace" && { MPLCONFIGDIR: join(cache, "matplotlib") }) },
    take() {
      const { reached, refused } = gate?.take() ?? { reached: [], refused: [] };
      return { reached, refused: refused.map(({ why }) => why) };
    },
    refusalsIn: (output) => refusalsIn(output, walls, [...roots, ...temporary]),
    allowWrite: async (path) => {
      const place = realOf(path);
      if (place === undefined) return `There is no ${path}`;
      return (
        (await holder.run("mount", "--bind", place, place)) ??
        (await holder.run("mount", "-o", "remount,bind,rw", place))
      );
    },
    allowRead: (path) => holder.run("umount", "-l", path),
    async allowPort(port) {
      if (!gate) return "There is no network at this level.";
      return gate.passPort(port).then(
        () => undefined,
        (error: Error) => error.message,
      );
    },
    showTerminal: (path) => showTerminal(holder, path),
    risksIn: (paths) => risksIn(paths, { home, view: (path) => `/proc/${holder.pid}/root${path}` }),
    close() {
      stopCovering();
      gate?.close();
    },
  };
}

/** A home that cannot be written needs none. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {}
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const mostTold = 5;

/** What can be opened: the file, or the folder that it would be in. */
function nearestTo(path: string): string {
  let at = path;
  while (at !== dirname(at) && realOf(at) === undefined) at = dirname(at);
  return at;
}

function refusalsIn(output: string, { hidden, level }: Walls, open: readonly string[]): string[] {
  const found = new Set<string>();
  for (const line of output.split("\n")) {
    const isWrite = /read-only file system|EROFS/i.test(line);
    if (!isWrite && !/permission denied|EACCES|no such file|ENOENT/i.test(line)) continue;
    // Shells name the file of the block first; a part of a relative path is none.
    const paths = [...line.matchAll(/(?:^|[\s'"‘“:=(])(\/[^'"’”:\n]+)/g)].map(([, path]) => path!.trim());
    const path = paths.findLast((each) => !open.some((place) => isWithin(each, place)));
    if (path === undefined) continue;
    if (isWrite)
      found.add(`The sandbox (${level}) does not let code write ${path}. To allow it: /allow write ${nearestTo(path)}`);
    else if (hidden.some((place) => isWithin(path, place)))
      found.add(`The sandbox (${level}) does not let code read ${path}. To allow it: /allow read ${path}`);
  }
  return [...found].slice(0, mostTold);
}
