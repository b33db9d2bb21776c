// Writes PNGs of every kind the format has, by its letter: any depth, any filter, interlaced or not.

import { crc32, deflateSync } from "node:zlib";

export interface Kind {
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  colour: 0 | 2 | 3 | 4 | 6;
  depth: 1 | 2 | 4 | 8 | 16;
  interlaced?: boolean;
  palette?: Buffer;
  transparency?: Buffer;
}

export const channelsOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** `sample` gives the value of a channel, from 0 to what the depth holds. */
export function writePng(
  width: number,
  height: number,
  kind: Kind,
  sample: (x: number, y: number, channel: number) => number,
): Buffer {
  const channels = channelsOf[kind.colour];
  const lines: Buffer[] = [];
  for (const [x0, y0, dx, dy] of kind.interlaced ? adam7 : ([[0, 0, 1, 1]] as const)) {
    let above: Buffer | undefined;
    for (let y = y0; y < height; y += dy) {
      const values: number[] = [];
      for (let x = x0; x < width; x += dx)
        for (let channel = 0; channel < channels; channel++) values.push(sample(x, y, channel));
      if (values.length === 0) continue;
      const line = pack(values, kind.depth);
      lines.push(filter(line, above ?? Buffer.alloc(line.length), y % 5, Math.max(1, (channels * kind.depth) >> 3)));
      above = line;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([kind.depth, kind.colour, 0, 0, kind.interlaced ? 1 : 0], 8);
  const data = deflateSync(Buffer.concat(lines));
  const half = data.length >> 1;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    ...(kind.palette ? [chunk("PLTE", kind.palette)] : []),
    ...(kind.transparency ? [chunk("tRNS", kind.transparency)] : []),
    chunk("IDAT", data.subarray(0, half)),
    chunk("IDAT", data.subarray(half)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function pack(values: number[], depth: number): Buffer {
  if (depth === 16) {
    const line = Buffer.alloc(values.length * 2);
    for (const [index, value] of values.entries()) line.writeUInt16BE(value, index * 2);
    return line;
  }
  const line = Buffer.alloc(Math.ceil((values.length * depth) / 8));
  for (const [index, value] of values.entries()) {
    const bit = index * depth;
    line[bit >> 3] = line[bit >> 3]! | (value << (8 - depth - (bit & 7)));
  }
  return line;
}

function filter(line: Buffer, above: Buffer, type: number, step: number): Buffer {
  const out = Buffer.alloc(line.length + 1);
  out[0] = type;
  for (let x = 0; x < line.length; x++) {
    const [left, up, corner] = [line[x - step] ?? 0, above[x]!, above[x - step] ?? 0];
    const paeth = [left, up, corner].reduce((best, each) =>
      Math.abs(left + up - corner - each) < Math.abs(left + up - corner - best) ? each : best,
    );
    out[x + 1] = line[x]! - [0, left, up, (left + up) >> 1, paeth][type]!;
  }
  return out;
}

function chunk(name: string, body: Buffer): Buffer {
  const whole = Buffer.concat([Buffer.alloc(4), Buffer.from(name, "latin1"), body, Buffer.alloc(4)]);
  whole.writeUInt32BE(body.length, 0);
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4);
  return whole;
}
