// Generated legal streams, and ways to cut them, for the tests of the grammar and of folding.

import fc from "fast-check";
import type { Chunk } from "../../src/messages/index.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });

function block(header: Pick<Chunk, "role" | "type" | "format">, pieces: string[]): Chunk[] {
  return [{ ...header, start: true }, ...pieces.map((content) => ({ ...header, content })), { ...header, end: true }];
}

const written = fc
  .tuple(fc.constantFrom("user", "assistant"), fc.constantFrom("message", "reasoning"), fc.array(text))
  .map(([role, type, pieces]) => block({ role, type } as Chunk, pieces));

const code = fc
  .tuple(fc.constantFrom("python", "shell", "r"), fc.array(text))
  .map(([format, pieces]) => block({ role: "assistant", type: "code", format }, pieces));

const image = text.map((content) => block({ role: "computer", type: "image", format: "base64.png" }, [content]));

const output = fc.oneof(
  text.map((content): Chunk => ({ role: "computer", type: "console", format: "output", content })),
  text.map((content): Chunk => ({ role: "computer", type: "console", format: "output", content, stream: "stderr" })),
  fc.nat(99).map((content): Chunk => ({ role: "computer", type: "console", format: "active_line", content })),
);

const flag = { role: "computer", type: "console" } as const;

const step = fc
  .tuple(code, fc.array(output), fc.option(image, { nil: [] }), fc.array(output))
  .map(([asked, before, shown, after]): Chunk[] => [
    ...asked,
    { ...flag, start: true },
    ...before,
    ...(shown.length > 0 ? [{ ...flag, end: true } as Chunk, ...shown, { ...flag, start: true } as Chunk] : []),
    ...after,
    { ...flag, format: "active_line", content: null },
    { ...flag, end: true, status: "ok" },
  ]);

const passing = fc.constant<Chunk[]>([{ role: "server", type: "notice", content: "something" }]);

export const legalStreams = fc.array(fc.oneof(written, step, passing), { maxLength: 8 }).map((parts) => parts.flat());

/** Cuts every text chunk of a stream at places chosen by `cuts`. */
export function recut(stream: readonly Chunk[], cuts: readonly number[]): Chunk[] {
  let next = 0;
  return stream.flatMap((chunk) => {
    if (typeof chunk.content !== "string" || chunk.type === "notice") return [chunk];
    const { content } = chunk;
    const at = (cuts[next++ % Math.max(1, cuts.length)] ?? 0) % (content.length + 1);
    return [content.slice(0, at), content.slice(at)]
      .filter((piece) => piece !== "")
      .map((piece) => ({ ...chunk, content: piece }));
  });
}

/** Joins neighbouring text chunks of the same block into one. */
export function join(stream: readonly Chunk[]): Chunk[] {
  const joined: Chunk[] = [];
  for (const chunk of stream) {
    const last = joined.at(-1);
    const mergeable =
      last &&
      typeof last.content === "string" &&
      typeof chunk.content === "string" &&
      chunk.type !== "notice" &&
      last.type === chunk.type &&
      last.format === chunk.format &&
      last.stream === chunk.stream;
    if (mergeable) last.content = `${last.content}${chunk.content}`;
    else joined.push({ ...chunk });
  }
  return joined;
}
