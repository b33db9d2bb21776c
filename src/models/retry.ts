// How long to wait before asking again, and a wait that ends at once when nobody waits for it any more.

import { setTimeout as sleep } from "node:timers/promises";
import type { Verdict } from "./failure.ts";

const firstDelay = 500;
const longestDelay = 8_000;
/** A server that asks for more than this is not coming back soon: better to say so. */
const longestWait = 60_000;

/** Milliseconds before the next attempt, or undefined when there should be none. */
export function nextDelay(verdict: Verdict, attempt: number, maxRetries: number): number | undefined {
  if (!verdict.again || attempt > maxRetries) return undefined;
  if (verdict.wait !== undefined) return verdict.wait > longestWait ? undefined : verdict.wait;
  const full = Math.min(longestDelay, firstDelay * 2 ** (attempt - 1));
  return Math.round(full / 2 + (Math.random() * full) / 2);
}

/** False when the wait was given up. */
export async function wait(delay: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(delay, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
