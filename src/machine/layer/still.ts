// Lets no process inside do anything for a moment: what was looked at is then what is acted on, whoever would exchange it meanwhile.

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** In milliseconds: one that waits for a disk may stop later. */
const longest = 200;

export interface StillRequest {
  /** The process that mounts things for us, and is given all those whose parent has ended. What it does itself goes on. */
  holder: number;
  /** Those that we have started ourselves, which wait for others inside. */
  own: Iterable<number>;
}

/** Does something while they stand still. */
export async function whileStill<Result>(request: StillRequest, work: () => Promise<Result>): Promise<Result> {
  const goOn = await holdStill(request);
  try {
    return await work();
  } finally {
    goOn();
  }
}

/** Returns what lets them go on. */
async function holdStill({ holder, own }: StillRequest): Promise<() => void> {
  const roots = [holder, ...own];
  const ours = sessionOf(holder);
  const stopped = new Set<number>();
  // Those that stand still already are somebody else's to wake.
  const resting = new Set<number>();
  const goOn = (): void => {
    for (const pid of stopped) signal(pid, "SIGCONT");
  };
  const until = Date.now() + longest;
  try {
    for (;;) {
      const fresh = below(roots, ours).filter((pid) => !stopped.has(pid) && !resting.has(pid));
      for (const pid of fresh) {
        if (isStill(pid)) resting.add(pid);
        else if (signal(pid, "SIGSTOP")) stopped.add(pid);
      }
      const moving = [...stopped].some((pid) => !isStill(pid));
      if ((fresh.length === 0 && !moving) || Date.now() > until) return goOn;
      // Whoever is to stop must get its turn for that.
      if (moving) await wait(1);
    }
  } catch (error) {
    goOn();
    throw error;
  }
}

/** Everything that these have started, and that was started by it; not themselves, and nothing of this session, which nobody can join. */
function below(pids: Iterable<number>, except: string): number[] {
  const found = new Set<number>();
  const waiting = [...pids];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop())
    for (const child of childrenOf(pid)) {
      if (found.has(child) || sessionOf(child) === except) continue;
      found.add(child);
      waiting.push(child);
    }
  return [...found];
}

const childrenOf = (pid: number): number[] =>
  threadsOf(pid).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );

/** All of its threads, or it has ended. */
const isStill = (pid: number): boolean =>
  threadsOf(pid).every((thread) => /^[TtZX]?$/.test(stateOf(`/proc/${pid}/task/${thread}/stat`)));

/** What the kernel says of it, behind its name, which may be anything. */
const factsOf = (path: string): string[] => {
  const text = textOf(path);
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
};
const stateOf = (path: string): string => factsOf(path)[0] ?? "";
const sessionOf = (pid: number): string => factsOf(`/proc/${pid}/stat`)[3] ?? "";

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // It has ended.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1").trim();
  } catch {
    return "";
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // It has ended by itself.
  }
}
