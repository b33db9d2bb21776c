// Whether two pictures show the same: byte for byte, or pixel for pixel with hardly a difference.

import { decodePng, loadJpeg, type Pixels, pictureFacts } from "../../pictures/index.ts";

/** A pixel is another when one of its channels differs by more; the share of such pixels that comes from smoothing alone. */
const step = 24;
const share = 0.0005;

/** Undefined when they are the same; otherwise why not. */
export async function pictureDifference(recorded: Buffer, now: Buffer): Promise<string | undefined> {
  if (recorded.equals(now)) return undefined;
  const [one, other] = await Promise.all([decode(recorded), decode(now)]);
  if (!one || !other) return "the bytes are others, and the pixels cannot be read";
  if (one.width !== other.width || one.height !== other.height)
    return `it is ${other.width} × ${other.height} pixels and was ${one.width} × ${one.height}`;
  let others = 0;
  for (let at = 0; at < one.rgba.length; at += 4) {
    const differs = [0, 1, 2, 3].some(
      (channel) => Math.abs(one.rgba[at + channel]! - other.rgba[at + channel]!) > step,
    );
    if (differs) others++;
  }
  return others <= share * one.width * one.height ? undefined : "it looks different";
}

async function decode(file: Buffer): Promise<Pixels | undefined> {
  const kind = pictureFacts(file)?.kind;
  if (kind === "png") return decodePng(file);
  return kind === "jpeg" ? (await loadJpeg()).decodeJpeg(file) : undefined;
}
