// Something the person should know that is part of no message.

import type { Chunk } from "../messages/index.ts";

export function notice(code: string, content: string, hint = ""): Chunk {
  return { role: "server", type: "notice", content, code, ...(hint && { hint }) };
}

export function failure(code: string, content: string, hint = ""): Chunk {
  return { role: "server", type: "error", content, code, ...(hint && { hint }) };
}
