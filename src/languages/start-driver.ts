// Starts an interpreter with a driver of ours inside, and waits until it is ready.

import type { Machine, Process } from "../machine/index.ts";
import { newId } from "../messages/index.ts";
import type { OnCall } from "./bridge.ts";
import type { DriverCommand } from "./driver-protocol.ts";
import { DriverSession } from "./driver-session.ts";
import { SessionStartError } from "./language.ts";

export interface DriverRequest {
  language: string;
  /** For people: "Python", "bash". The version is added when the driver reports it. */
  title: string;
  machine: Machine;
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** How the driver wants its commands; JSON unless it cannot read that. */
  encode?: (command: DriverCommand | { nonce: string }) => string;
  /** How it is interrupted: by a signal where there are signals (the default), or by message and signal. */
  interrupt?: "signal" | "both";
  /** More descriptors than the two every driver has. */
  extraChannels?: number;
  /** Answers the driver's calls; a driver without `computer` has none. */
  onCall?: OnCall;
}

const readyWithin = 30_000;

export async function startDriver(request: DriverRequest): Promise<DriverSession> {
  const nonce = newId(24);
  const failed = (why: string) =>
    new SessionStartError(`${request.title} could not be started (${request.command}): ${why}`);
  let child: Process;
  try {
    child = await request.machine.spawn({ ...request, channels: 2 + (request.extraChannels ?? 0) });
  } catch (error) {
    throw failed(`${(error as Error).message}.`);
  }
  const session = new DriverSession(request, child, nonce);
  const problem = await inTime(session.ready);
  if (problem) {
    child.signal("SIGKILL");
    throw failed(problem);
  }
  return session;
}

async function inTime(ready: Promise<string | undefined>): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve("it did not answer in time."), readyWithin);
  const problem = await Promise.race([ready, late.promise]);
  clearTimeout(timer);
  return problem;
}
