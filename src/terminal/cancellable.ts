// Runs something that may take long, and lets the person give it up with Ctrl-C or Escape.

import { readKeys } from "./keys.ts";
import type { Screen } from "./screen.ts";

/** Undefined when it was given up. */
export async function cancellable<T>(
  { input }: Pick<Screen, "input">,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const stop = new AbortController();
  const giveUp = () => stop.abort();
  process.on("SIGINT", giveUp);
  const release = input.isTTY
    ? readKeys(input, ({ name }) => {
        if (name === "interrupt" || name === "escape") giveUp();
      })
    : () => {};
  try {
    return await run(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return undefined;
  } finally {
    release();
    process.off("SIGINT", giveUp);
  }
}
