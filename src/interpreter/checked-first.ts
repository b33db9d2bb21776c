// A check that goes on while the model is asked, and is over before anything comes of it: a start is not made slower by it.

import { setTimeout as sleep } from "node:timers/promises";

const soon = 150;

/** What the check throws ends it all. `stop` is aborted then. */
export async function* checkedFirst<T, R>(
  chunks: AsyncGenerator<T, R>,
  check: () => Promise<void>,
  stop: AbortController,
): AsyncGenerator<T, R> {
  const first = chunks.next();
  first.catch(() => {}); // It is heard of below.
  try {
    // Until then the request is on its way.
    await Promise.race([first.catch(() => {}), sleep(soon, undefined, { ref: false })]);
    await check();
  } catch (error) {
    stop.abort();
    await first.catch(() => {});
    await chunks.return(undefined as R);
    throw error;
  }
  const { value, done } = await first;
  if (done) return value;
  let goesOn = false;
  try {
    yield value;
    goesOn = true;
  } finally {
    if (!goesOn) await chunks.return(undefined as R);
  }
  return yield* chunks;
}
