// The data of server-sent events, as text, from the bytes of a response.

import { endlessLine, longestLine } from "../bounded-fetch.ts";

export async function* readServerEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  let length = 0;
  for await (const bytes of body) {
    const lines = decoder.decode(bytes, { stream: true }).split("\n");
    lines[0] = rest + lines[0]!;
    rest = lines.pop()!;
    for (const raw of lines) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line.startsWith("data:")) {
        data.push(line.slice(line[5] === " " ? 6 : 5));
        length += line.length;
      } else if (line === "" && data.length > 0) {
        yield data.join("\n");
        [data, length] = [[], 0];
      }
    }
    if (rest.length + length > longestLine) throw endlessLine();
  }
  // The blank line after the last event is sometimes forgotten.
  if (rest.startsWith("data:")) data.push(rest.slice(5).trim());
  if (data.length > 0) yield data.join("\n");
}
