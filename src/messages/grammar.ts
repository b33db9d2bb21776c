// The streaming grammar: what may follow what. A consumer that obeys it can draw any stream.
//
//   stream  = ( block | passing )*            passing chunks only between blocks
//   block   = start content* end              all with the same role, type and format
//   console = start ( active_line | output )* end   its flags carry no format

import { isStoredType } from "./fold.ts";
import type { Chunk } from "./types.ts";

export interface Grammar {
  /** Takes the next chunk; returns what is wrong with it, or undefined. */
  push(chunk: Chunk): string | undefined;
  /** What is wrong with the stream ending here, or undefined. */
  end(): string | undefined;
}

const roles: ReadonlySet<string> = new Set(["user", "assistant", "computer", "server"]);
const passing: ReadonlySet<string> = new Set([
  "confirmation",
  "review",
  "input",
  "command",
  "status",
  "notice",
  "usage",
  "answer",
  "effects",
  "deliverables",
  "error",
]);

export function createGrammar(): Grammar {
  let open: Chunk | undefined;

  function check(chunk: Chunk): string | undefined {
    if (!roles.has(chunk.role)) return `unknown role ${JSON.stringify(chunk.role)}`;
    if (chunk.start && chunk.end) return "a chunk cannot be start and end at once";
    if (passing.has(chunk.type)) {
      if (chunk.start || chunk.end) return `${chunk.type} is one chunk, without start and end`;
      if (open) return `${chunk.type} inside an open ${open.type} block`;
      return undefined;
    }
    if (!isStoredType(chunk.type)) return `unknown type ${JSON.stringify(chunk.type)}`;
    if (chunk.start) {
      if (open) return `${chunk.type} starts before ${open.type} has ended`;
      if (chunk.type === "console" && chunk.format !== undefined) return "a console flag carries no format";
      if (chunk.content !== undefined) return "a flag carries no content";
      open = chunk;
      return undefined;
    }
    if (!open) return `${chunk.type} ${chunk.end ? "ends" : "continues"} without a start`;
    if (open.role !== chunk.role || open.type !== chunk.type) return `${chunk.type} inside an open ${open.type} block`;
    if (chunk.end) {
      if (chunk.format !== open.format) return "end names another format than start";
      if (chunk.content !== undefined) return "a flag carries no content";
      open = undefined;
      return undefined;
    }
    return checkContent(chunk, open);
  }

  return {
    push: check,
    end: () => (open ? `the stream ended inside a ${open.type} block` : undefined),
  };
}

function checkContent(chunk: Chunk, open: Chunk): string | undefined {
  if (chunk.type === "console" && chunk.format === "active_line") {
    return chunk.content === null || Number.isInteger(chunk.content)
      ? undefined
      : "an active line is an integer or null";
  }
  const format = chunk.type === "console" ? "output" : open.format;
  if (chunk.format !== format) return `content of format ${chunk.format} in a block of format ${format}`;
  if (typeof chunk.content !== "string") return "content is text";
  if (chunk.content === "") return "content is never empty";
  return undefined;
}
