// Cuts a stream into lines. A line that grows past all reason is dropped instead of filling memory.

const longest = 64 << 20;

export function readLines(source: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let pieces: Buffer[] = [];
  let size = 0;
  source.on("data", (chunk: Buffer) => {
    let rest = chunk;
    for (let at = rest.indexOf(0x0a); at !== -1; at = rest.indexOf(0x0a)) {
      pieces.push(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
      if (size <= longest) onLine(Buffer.concat(pieces).toString("utf8"));
      pieces = [];
      size = 0;
    }
    size += rest.length;
    if (size > longest) pieces = [];
    else if (rest.length > 0) pieces.push(rest);
  });
}
