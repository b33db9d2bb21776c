// A process that says it goes on as another one: code can say so, too, and must not have us signal somebody else.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { localMachine } from "../../src/machine/index.ts";

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {}
  }
});

/** Somebody's own process, in a group of its own. */
function startVictim() {
  const victim = spawn("sleep", ["1000"], { stdio: "ignore", detached: true });
  started.push(victim.pid!);
  return victim;
}

const session = (script: string, numbers?: Parameters<typeof localMachine.spawn>[0]["numbers"]) =>
  localMachine.spawn({ command: "sh", args: ["-c", script], cwd: "/", env: process.env, ...(numbers && { numbers }) });

const apart = { leader: () => undefined, outside: () => undefined };

test.skipIf(process.platform !== "linux").each([
  ["where all processes count together", undefined],
  ["where it is none of those that count for themselves", apart],
])("somebody else is not signalled, %s", async (_, numbers) => {
  const victim = startVictim();
  const child = await session("sleep 1000", numbers);
  started.push(child.pid);
  expect(child.moved(victim.pid!, victim.pid!)).toEqual({ pid: child.pid, group: child.pid });
  child.signal("SIGKILL");
  expect((await child.exited).signal).toBe("SIGKILL");
  expect(victim.exitCode ?? victim.signalCode).toBeNull();
  expect(process.kill(victim.pid!, 0)).toBe(true);
});

test.skipIf(process.platform !== "linux")("one of its own is, in the group that it has", async () => {
  const child = await session("sleep 1000 & echo $!; wait");
  const group = child.pid;
  started.push(group);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const inner = Number(line.toString());
  expect(child.moved(inner, group)).toEqual({ pid: inner, group });
  child.signal("SIGKILL");
  expect((await child.exited).signal).toBe("SIGKILL");
});
