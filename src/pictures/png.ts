// Reads a PNG into pixels: every kind the format has. What has more than 8 bits a channel is rounded to 8.

import { mostPixels, type Pixels } from "./pixels.ts";

const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

interface Header {
  width: number;
  height: number;
  depth: number;
  kind: number;
  channels: number;
  palette: Uint8Array;
  transparency: Buffer;
}

/** Undefined when it is broken, or too large to be read. */
export function decodePng(file: Buffer): Pixels | undefined {
  try {
    return decode(file);
  } catch {
    return undefined;
  }
}

function decode(file: Buffer): Pixels | undefined {
  if (file.length < 33 || file.toString("latin1", 1, 4) !== "PNG") return undefined;
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const [depth, kind, , , interlaced] = file.subarray(24, 29);
  const channels = channelsOf[kind!];
  if (!channels || width * height > mostPixels || width * height === 0) return undefined;
  const header: Header = {
    width,
    height,
    depth: depth!,
    kind: kind!,
    channels,
    palette: new Uint8Array(0),
    transparency: Buffer.alloc(0),
  };
  const data: Buffer[] = [];
  for (let at = 8; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const name = file.toString("latin1", at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (name === "IDAT") data.push(body);
    else if (name === "PLTE") header.palette = body;
    else if (name === "tRNS") header.transparency = body;
    at += 12 + length;
  }
  const { inflateSync } = process.getBuiltinModule("node:zlib");
  // What unpacks to more than the pixels need is not a picture.
  const raw = inflateSync(Buffer.concat(data), { maxOutputLength: width * height * 8 + height * 16 + 1_024 });
  const rgba = new Uint8Array(width * height * 4);
  let at = 0;
  for (const pass of interlaced ? passes : [whole]) {
    const columns = Math.ceil((width - pass.x) / pass.dx);
    const rows = Math.ceil((height - pass.y) / pass.dy);
    if (columns <= 0 || rows <= 0) continue;
    const stride = Math.ceil((columns * channels * header.depth) / 8);
    if (raw.length < at + rows * (stride + 1)) return undefined;
    unfilter(raw.subarray(at, at + rows * (stride + 1)), stride, rows, Math.max(1, (channels * header.depth) >> 3));
    for (let row = 0; row < rows; row++) {
      const line = raw.subarray(at + row * (stride + 1) + 1, at + (row + 1) * (stride + 1));
      paint(line, columns, header, rgba, ((pass.y + row * pass.dy) * width + pass.x) * 4, pass.dx * 4);
    }
    at += rows * (stride + 1);
  }
  return { width, height, rgba };
}

const whole = { x: 0, y: 0, dx: 1, dy: 1 };

/** An interlaced picture comes seven times, finer each time. */
const passes = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];

/** Undoes the prediction of each line, in place. `step` is the distance to the same channel of the pixel before. */
function unfilter(raw: Buffer, stride: number, rows: number, step: number): void {
  for (let y = 0; y < rows; y++) {
    const start = y * (stride + 1) + 1;
    const filter = raw[start - 1];
    if (filter === 0) continue;
    const above = start - stride - 1;
    for (let x = 0; x < stride; x++) {
      const left = x >= step ? raw[start + x - step]! : 0;
      const up = y > 0 ? raw[above + x]! : 0;
      const corner = x >= step && y > 0 ? raw[above + x - step]! : 0;
      raw[start + x] = raw[start + x]! + predict(filter!, left, up, corner);
    }
  }
}

export function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const guess = left + above - corner;
  const [byLeft, byAbove, byCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

/** Writes one line of samples into the picture, from `to` on, a pixel every `step` bytes. */
function paint(line: Buffer, columns: number, header: Header, rgba: Uint8Array, to: number, step: number): void {
  const { depth, kind, channels, palette, transparency } = header;
  const bytes = depth === 16 ? 2 : 1;
  const most = (1 << Math.min(depth, 8)) - 1;
  const sample = (index: number): number => {
    if (depth >= 8) return line[index * bytes]!;
    const bit = index * depth;
    return (line[bit >> 3]! >> (8 - depth - (bit & 7))) & most;
  };
  const scale = kind === 3 || depth >= 8 ? 1 : 255 / most;
  // Without an alpha channel, one value (or one colour) may stand for nothing.
  const hole = kind !== 3 && channels % 2 === 1 && transparency.length >= channels * 2 ? transparency : undefined;
  const isHole = (first: number): boolean => {
    for (let channel = 0; channel < channels; channel++) {
      const wanted = hole!.readUInt16BE(channel * 2);
      const at = first + channel;
      const value = depth === 16 ? line.readUInt16BE(at * 2) : sample(at);
      if (value !== wanted) return false;
    }
    return true;
  };
  for (let column = 0; column < columns; column++, to += step) {
    const first = column * channels;
    const value = sample(first);
    if (kind === 3) {
      rgba[to] = palette[value * 3] ?? 0;
      rgba[to + 1] = palette[value * 3 + 1] ?? 0;
      rgba[to + 2] = palette[value * 3 + 2] ?? 0;
      rgba[to + 3] = transparency[value] ?? 255;
      continue;
    }
    const grey = channels <= 2;
    rgba[to] = value * scale;
    rgba[to + 1] = grey ? value * scale : sample(first + 1);
    rgba[to + 2] = grey ? value * scale : sample(first + 2);
    rgba[to + 3] = channels % 2 === 0 ? sample(first + channels - 1) : hole && isHole(first) ? 0 : 255;
  }
}
