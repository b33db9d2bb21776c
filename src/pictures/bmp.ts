// Reads a BMP without compression, 24 or 32 bits a pixel: what screenshots and old programs write.

import { mostPixels, type Pixels } from "./pixels.ts";

/** Undefined when it is of another kind. */
export function decodeBmp(file: Buffer): Pixels | undefined {
  const [width, signed] = [file.readInt32LE(18), file.readInt32LE(22)];
  const height = Math.abs(signed);
  const bits = file.readUInt16LE(28);
  const compression = file.readUInt32LE(30);
  if ((bits !== 24 && bits !== 32) || (compression !== 0 && compression !== 3) || width * height > mostPixels)
    return undefined;
  const start = file.readUInt32LE(10);
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (file.length < start + stride * height) return undefined;
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    // The lowest line comes first, unless the height is negative.
    const line = start + (signed > 0 ? height - 1 - y : y) * stride;
    for (let x = 0; x < width; x++) {
      const from = line + x * (bits >> 3);
      rgba.set([file[from + 2]!, file[from + 1]!, file[from]!, 255], (y * width + x) * 4);
    }
  }
  return { width, height, rgba };
}
