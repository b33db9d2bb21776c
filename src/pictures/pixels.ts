// A picture as its pixels.

export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue, alpha for each pixel, row by row. */
  rgba: Uint8Array;
}

/** More than this is not worth its memory: four bytes each. */
export const mostPixels = 60_000_000;
