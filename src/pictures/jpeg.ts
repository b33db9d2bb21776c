// Photos, with jpeg-js: a library without compiled parts, loaded only for one that is too large.

import { decode, encode, type RawImageData } from "jpeg-js";
import { mostPixels, type Pixels } from "./pixels.ts";

/** What a camera wrote about it goes along: which side is up. */
export interface Photo extends Pixels {
  exif: Buffer | undefined;
}

/** Undefined when it is broken, or too large to be read. */
export function decodeJpeg(file: Buffer): Photo | undefined {
  try {
    const limits = { maxResolutionInMP: mostPixels / 1_000_000, maxMemoryUsageInMB: 1_024 };
    const image: RawImageData<Uint8Array> & { exifBuffer?: Buffer } = decode(file, { useTArray: true, ...limits });
    return { width: image.width, height: image.height, rgba: image.data, exif: image.exifBuffer };
  } catch {
    return undefined;
  }
}

export function encodeJpeg({ width, height, rgba }: Pixels, exif: Buffer | undefined): Buffer {
  const image = { width, height, data: rgba, ...(exif && { exifBuffer: exif }) };
  return Buffer.from(encode(image, 85).data);
}
