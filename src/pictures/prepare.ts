// Gets a picture ready to be sent: as it is when it fits, smaller when it does not, and a word why when neither works.
// The same file always gives the same bytes.

import { type PictureFacts, type PictureKind, pictureFacts } from "./facts.ts";

export interface Limits {
  /** Pixels of the long edge beyond which nothing is gained. */
  edge: number;
  /** Pixels of the long edge that are refused. */
  hardEdge: number;
  /** Characters of base64 that are refused. */
  size: number;
}

export type Prepared = { mediaType: string; base64: string } | { problem: string };

/** What every model that sees can read. */
const readable: readonly PictureKind[] = ["png", "jpeg", "gif", "webp"];

export async function preparePicture(file: Buffer, limits: Limits): Promise<Prepared> {
  const facts = pictureFacts(file);
  if (!facts) return { problem: "is not a picture that can be read" };
  const length = Math.ceil(file.length / 3) * 4;
  const edge = Math.max(facts.width, facts.height);
  const can = readable.includes(facts.kind);
  if (!can || length > limits.size || edge > limits.edge) {
    const { shrink } = await import("./shrink.ts");
    const smaller = await shrink(file, facts, limits);
    if (smaller) return smaller;
    if (!can) return { problem: `is a ${facts.kind.toUpperCase()} file, which models cannot read: convert it to PNG` };
    if (length > limits.size || edge > limits.hardEdge)
      return { problem: `is too large to be sent (${sizeOf(file, facts)})` };
  }
  return { mediaType: `image/${facts.kind}`, base64: file.toString("base64") };
}

const sizeOf = (file: Buffer, { width, height }: PictureFacts): string =>
  `${width} × ${height} pixels, ${(file.length / 1_000_000).toFixed(1)} MB`;
