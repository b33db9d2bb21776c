// The pixels of a picture that is to be drawn. What reads photos is loaded before the first of them arrives.

import { decodePng, loadJpeg, type PictureFacts, type Pixels } from "../../pictures/index.ts";

let decodeJpeg: ((file: Buffer) => Pixels | undefined) | undefined;

/** Called when a photo is on its way. */
export async function awaitPhoto(): Promise<void> {
  decodeJpeg ??= (await loadJpeg()).decodeJpeg;
}

/** Undefined when it is of a kind that is not read here. */
export function pixelsOf(file: Buffer, { kind }: PictureFacts): Pixels | undefined {
  if (kind === "png") return decodePng(file);
  return kind === "jpeg" ? decodeJpeg?.(file) : undefined;
}
