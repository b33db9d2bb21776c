// Reads a stream ahead of its consumer, so that a provider's connection is not kept waiting while code runs.

export async function* pump<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const items: T[] = [];
  let wake = () => {};
  let done = false;
  let left = false;
  const reading = (async () => {
    for await (const item of source) {
      if (left) return;
      items.push(item);
      wake();
    }
  })().finally(() => {
    done = true;
    wake();
  });
  reading.catch(() => {}); // reported below, unless the consumer has left
  try {
    while (!done || items.length > 0) {
      if (items.length > 0) yield items.shift()!;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    await reading;
  } finally {
    left = true;
  }
}
