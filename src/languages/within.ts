// Waiting for something, but not for ever.

/** Settles with the promise, or when the time is over. */
export async function within(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
