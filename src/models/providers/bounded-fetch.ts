// Fetch for the providers' packages, which keep a line until it ends: one that does not end must not fill the memory.

/** The longest event anybody sends is a whole reply; this is far more. */
export const longestLine = 16 * 1024 * 1024;
/** A refusal is a few sentences. */
const longestRefusal = 1024 * 1024;

/** What came is no reply at all. */
export const endlessLine = (): Error =>
  Object.assign(new Error("a line without an end"), { name: "InvalidResponseDataError" });

export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.body) return response;
  return new Response(response.body.pipeThrough(response.ok ? boundLines() : boundAll()), response);
};

function boundLines(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      const newline = bytes.lastIndexOf(10);
      length = newline < 0 ? length + bytes.length : bytes.length - newline - 1;
      if (length > longestLine) controller.error(endlessLine());
      else controller.enqueue(bytes);
    },
  });
}

function boundAll(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      length += bytes.length;
      controller.enqueue(bytes);
      if (length > longestRefusal) controller.terminate();
    },
  });
}
