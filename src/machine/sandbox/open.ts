// A sandbox that is up: what code inside may do, who it reached, what it was refused, and what is allowed it later.

import { mkdirSync, realpathSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Holder, quote } from "../layer/holder.ts";
import { isWithin } from "../layer/mounts.ts";
import { type Beside, openBeside } from "./beside.ts";
import { showTerminal } from "./devices.ts";
import { filterEnv } from "./filtered.ts";
import { openHidden } from "./hidden.ts";
import { type Bars, barsFor } from "./later.ts";
import { carryOut } from "./mounting.ts";
import { openConnector } from "./network/connect-inside.ts";
import { type Gate, type GateRequest, openGate } from "./network/gate.ts";
import { unreachedIn } from "./network/unreached.ts";
import { bind, keepBlank, makeScratch, raiseWalls } from "./raise.ts";
import { type Refused, refusalsIn } from "./refusals.ts";
import { type Doing, followFolders } from "./relative.ts";
import { risksIn } from "./risks.ts";
import { coverSockets } from "./sockets.ts";
import { type Level, ownPrograms, wallsFor } from "./walls.ts";

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
  refusalsIn(output: string, doing: Doing): Refused[];
  /** What an output says of machines and ports that were not reached, and what helps, in sentences. */
  unreachedIn(output: string, code: string): string[];
  /** Lets code write somewhere from now on. Resolves with what went wrong, in words, or with undefined. */
  allowWrite(path: string): Promise<string | undefined>;
  /** Lets code see something that was hidden. */
  allowRead(path: string): Promise<string | undefined>;
  /** What was allowed at that path is so no more. */
  takeBack(kind: "read" | "write", path: string): Promise<void>;
  /** Lets code reach what listens at a port of this machine. */
  allowPort(port: number): Promise<string | undefined>;
  /** Connects with what listens at a port inside, where there is a network of its own. */
  connect?(port: number): Promise<Socket>;
  /** Under which name a terminal of this machine is found inside. */
  showTerminal(path: string): Promise<string | undefined>;
  /** The walls stand around processes and not around places: what this process does for code has to be done inside. */
  readonly apart?: true;
  /** What the person should know of these walls, in sentences. */
  readonly news?: readonly string[];
  /** What runs later as the person, outside and without being asked for: it is not kept. */
  readonly bars: Bars;
  /** The same outside of the workspace, where walls by names do not keep it from being made. */
  readonly beside?: Beside;
  /** Sentences about those of the changed files that may run as the person, outside, without being asked for. */
  risksIn(paths: readonly string[]): string[];
  close(): void;
}

const scratchNumber = 7;

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
  const raised = wallsFor({ ...request, denyRead, roots, layered });
  const walls = { ...raised, fixed: [...new Set([...raised.fixed, ...ownPrograms(request.ours, roots)])] };
  const bars = barsFor({ ...request, roots });
  const temporary = [...new Set(["/tmp", "/var/tmp", tmpdir()].map(realOf))].filter((path) => path !== undefined);
  // Held by a number: the folder is hidden by the walls.
  const own = makeScratch(scratch);
  await holder.run("eval", `exec ${scratchNumber}<${quote(scratch)}`);
  // An administrator opens what nobody may read, but no device that has nothing behind it.
  if (!holder.asUser) await holder.run("eval", `rm ${quote(own.blank)} && mknod -m 0 ${quote(own.blank)} c 0 0`);
  // Where that cannot be.
  keepBlank(own.blank);
  const inScratch = (path: string): string => `/proc/self/fd/${scratchNumber}/${basename(path)}`;
  const [blank, aside] = [inScratch(own.blank), inScratch(own.aside)];
  const sockets = coverSockets(holder, blank, roots);
  const problem = await raiseWalls({ holder, walls, roots, temporary, blank, aside, more: sockets.now });
  if (problem !== undefined) return `The walls of the sandbox cannot be put up: ${problem}.`;
  const stopCovering = sockets.goOn();
  // Whoever listens there first inside only takes the way out away from themselves.
  const gate: Gate | undefined = walls.network
    ? openGate({ holder, judge: request.judge, ask: request.ask })
    : undefined;
  const open = (place: string): Promise<string | undefined> => holder.run("mount", "-o", "remount,bind,rw", place);
  const hidden = openHidden({
    holder,
    walls,
    stays: [...walls.shown, ...roots, ...temporary],
    blank,
    aside,
  });
  /** How what was let be written is closed again. */
  const closing = new Map<string, () => Promise<unknown>>();
  /** What must stay as it is, and what is hidden, goes on being so in a folder that is opened around it. */
  async function openAround(path: string, place: string): Promise<string | undefined> {
    const fixed = walls.fixed.filter((each) => isWithin(each, place));
    // What a mount is made of is read-only until now, and so is the mount.
    const steps = [...(place === "/" ? [] : [place]), ...fixed].flatMap(bind);
    const undo = place === "/" ? ["mount", "-o", "remount,bind,ro", place] : ["umount", "-l", place];
    const problem = (await carryOut(holder, steps)) ?? (await open(place));
    if (problem === undefined) closing.set(path, () => holder.run(...undo));
    return problem;
  }

  const connector = openConnector(holder);
  const foldersOf = followFolders(home);
  return {
    level,
    held: walls.fixed.filter((path) => roots.some((root) => isWithin(path, root))),
    ready: gate?.ready ?? (() => Promise.resolve()),
    env: { ...gate?.env, ...filterEnv, ...(level === "workspace" && { MPLCONFIGDIR: join(cache, "matplotlib") }) },
    take() {
      const { reached, refused } = gate?.take() ?? { reached: [], refused: [] };
      return { reached, refused: refused.map(({ why }) => why) };
    },
    refusalsIn: (output, doing) =>
      refusalsIn(output, { walls, open: [...roots, ...temporary], from: foldersOf(doing) }),
    unreachedIn: (output, code) => unreachedIn(output, { code, network: walls.network }),
    bars,
    beside: openBeside({ ...request, holder, bars, writable: walls.writable, fixed: walls.fixed }),
    allowWrite: async (path) => {
      const place = realOf(path);
      const asked = place ?? path;
      bars.allowed.push(asked);
      const closed = walls.fixed.find((each) => isWithin(asked, each));
      const isOurs = [request.config, request.data].some((each) => isWithin(asked, realOf(each) ?? each));
      // What is made of the rest of it is not kept.
      if (closed !== undefined && !isOurs && (await open(closed)) === undefined) {
        closing.set(path, () => holder.run("mount", "-o", "remount,bind,ro", closed));
        return undefined;
      }
      if (closed === undefined && roots.some((root) => isWithin(asked, root))) return undefined;
      if (place === undefined) return `There is no ${path}`;
      return openAround(path, place);
    },
    allowRead: (path) => hidden.show(realOf(path) ?? path),
    async takeBack(kind, path) {
      if (kind === "read") return hidden.hide(realOf(path) ?? path);
      const at = bars.allowed.lastIndexOf(realOf(path) ?? path);
      if (at >= 0) bars.allowed.splice(at, 1);
      await closing.get(path)?.();
      closing.delete(path);
    },
    async allowPort(port) {
      if (!gate) return "There is no network at this level.";
      return gate.passPort(port).then(
        () => undefined,
        (error: Error) => error.message,
      );
    },
    connect: (port) => connector.connect(port),
    showTerminal: (path) => showTerminal(holder, path),
    risksIn: (paths) => risksIn(paths, { roots, view: (path) => `/proc/${holder.pid}/root${path}` }),
    close() {
      connector.close();
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
