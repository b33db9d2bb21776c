// Makes a picture fit: fewer pixels, and then fewer still, until it is small enough.

import { decodeBmp } from "./bmp.ts";
import { encodePng } from "./encode-png.ts";
import type { PictureFacts } from "./facts.ts";
import type { Pixels } from "./pixels.ts";
import { decodePng } from "./png.ts";
import type { Limits } from "./prepare.ts";
import { scaleDown } from "./scale.ts";

export interface Smaller {
  mediaType: string;
  base64: string;
}

/** Undefined when it is of a kind that is not read here. */
export async function shrink(file: Buffer, { kind }: PictureFacts, limits: Limits): Promise<Smaller | undefined> {
  if (kind === "jpeg") {
    const { decodeJpeg, encodeJpeg } = await import("./jpeg.ts");
    const photo = decodeJpeg(file);
    return photo && within(photo, limits, "image/jpeg", (pixels) => encodeJpeg(pixels, photo.exif));
  }
  const pixels = decode(kind, file);
  return pixels && within(pixels, limits, "image/png", encodePng);
}

function within(
  pixels: Pixels,
  { edge, size }: Limits,
  mediaType: string,
  encode: (pixels: Pixels) => Buffer,
): Smaller | undefined {
  for (let wanted = edge; wanted >= 64; wanted = Math.floor(wanted * 0.75)) {
    const base64 = encode(scaleDown(pixels, wanted)).toString("base64");
    if (base64.length <= size) return { mediaType, base64 };
  }
  return undefined;
}

function decode(kind: PictureFacts["kind"], file: Buffer): Pixels | undefined {
  if (kind === "png") return decodePng(file);
  return kind === "bmp" ? decodeBmp(file) : undefined;
}
