// Reads a PNG into pixels: enough of the format for charts and screenshots (8 bits a channel, not interlaced).

export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue, alpha for each pixel, row by row. */
  rgba: Uint8Array;
}

const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Undefined when the picture is of a kind this does not read. */
export function decodePng(file: Buffer): Pixels | undefined {
  if (file.length < 33 || file.toString("latin1", 1, 4) !== "PNG") return undefined;
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const [depth, kind, , , interlaced] = file.subarray(24, 29);
  const channels = channelsOf[kind!];
  if (depth !== 8 || !channels || interlaced || width * height > 50_000_000) return undefined;
  const data: Buffer[] = [];
  let palette = Buffer.alloc(0);
  let transparency = Buffer.alloc(0);
  for (let at = 8; at + 8 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const name = file.toString("latin1", at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (name === "IDAT") data.push(body);
    else if (name === "PLTE") palette = Buffer.from(body);
    else if (name === "tRNS") transparency = Buffer.from(body);
    at += 12 + length;
  }
  const { inflateSync } = process.getBuiltinModule("node:zlib");
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const from = pixel * channels;
    const value = rows[from]!;
    if (kind === 3) rgba.set([...palette.subarray(value * 3, value * 3 + 3), transparency[value] ?? 255], pixel * 4);
    else if (channels <= 2) rgba.set([value, value, value, channels === 2 ? rows[from + 1]! : 255], pixel * 4);
    else rgba.set([value, rows[from + 1]!, rows[from + 2]!, channels === 4 ? rows[from + 3]! : 255], pixel * 4);
  }
  return { width, height, rgba };
}

function unfilter(raw: Buffer, stride: number, height: number, channels: number): Uint8Array {
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= channels ? rows[at - channels]! : 0;
      const above = y > 0 ? rows[at - stride]! : 0;
      const corner = x >= channels && y > 0 ? rows[at - stride - channels]! : 0;
      rows[at] = raw[y * (stride + 1) + 1 + x]! + predict(filter, left, above, corner);
    }
  }
  return rows;
}

function predict(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const guess = left + above - corner;
  const [byLeft, byAbove, byCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}
