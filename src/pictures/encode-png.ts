// Writes pixels as a PNG. The same pixels always give the same bytes.

import type { Pixels } from "./pixels.ts";
import { predict } from "./png.ts";

export function encodePng(pixels: Pixels): Buffer {
  const { deflateSync } = process.getBuiltinModule("node:zlib");
  const { width, height, rgba } = pixels;
  const opaque = isOpaque(rgba);
  const channels = opaque ? 3 : 4;
  const stride = width * channels;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, opaque ? 2 : 6], 8);
  const lines = Buffer.alloc((stride + 1) * height);
  let above: Uint8Array = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const line = rgba.subarray(y * width * 4, (y + 1) * width * 4);
    const samples = opaque ? withoutAlpha(line) : line;
    lines.set(filtered(samples, above, channels), y * (stride + 1));
    above = samples;
  }
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines, { level: 7 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false;
  return true;
}

function withoutAlpha(line: Uint8Array): Uint8Array {
  const samples = new Uint8Array((line.length / 4) * 3);
  for (let from = 0, to = 0; from < line.length; from += 4, to += 3) {
    samples[to] = line[from]!;
    samples[to + 1] = line[from + 1]!;
    samples[to + 2] = line[from + 2]!;
  }
  return samples;
}

/** The line with the prediction that leaves the smallest rest, as is usual; its number stands before it. */
function filtered(line: Uint8Array, above: Uint8Array, channels: number): Uint8Array {
  let best = new Uint8Array(0);
  let least = Number.POSITIVE_INFINITY;
  for (const filter of [0, 1, 2, 4]) {
    const rest = new Uint8Array(line.length + 1);
    rest[0] = filter;
    let sum = 0;
    for (let x = 0; x < line.length && sum < least; x++) {
      const left = x >= channels ? line[x - channels]! : 0;
      const corner = x >= channels ? above[x - channels]! : 0;
      const value = (line[x]! - predict(filter, left, above[x]!, corner)) & 255;
      rest[x + 1] = value;
      sum += value < 128 ? value : 256 - value;
    }
    if (sum < least) [best, least] = [rest, sum];
  }
  return best;
}

function chunk(name: string, body: Buffer): Buffer {
  const { crc32 } = process.getBuiltinModule("node:zlib");
  const whole = Buffer.alloc(body.length + 12);
  whole.writeUInt32BE(body.length, 0);
  whole.write(name, 4, "latin1");
  whole.set(body, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, body.length + 8)), body.length + 8);
  return whole;
}
