// Makes a picture smaller: each new pixel is the mean of the area it stands for.

import type { Pixels } from "./pixels.ts";

/** With a long edge of at most `edge` pixels. */
export function scaleDown(pixels: Pixels, edge: number): Pixels {
  const factor = edge / Math.max(pixels.width, pixels.height);
  if (factor >= 1) return pixels;
  const width = Math.max(1, Math.round(pixels.width * factor));
  const height = Math.max(1, Math.round(pixels.height * factor));
  const across = sharesOf(pixels.width, width);
  const down = sharesOf(pixels.height, height);
  const rgba = new Uint8Array(width * height * 4);
  const row = new Float64Array(width * 4);
  for (let y = 0; y < height; y++) {
    row.fill(0);
    for (const [from, weight] of down[y]!) addLine(pixels, from, weight, across, row);
    for (let x = 0; x < width; x++) {
      const alpha = row[x * 4 + 3]!;
      const to = (y * width + x) * 4;
      // Colours count as much as they are to be seen.
      for (let channel = 0; channel < 3; channel++)
        rgba[to + channel] = alpha > 0 ? Math.round(row[x * 4 + channel]! / alpha) : 0;
      rgba[to + 3] = Math.round(alpha * 255);
    }
  }
  return { width, height, rgba };
}

type Share = readonly [from: number, weight: number];

/** Which of the old ones each of the new ones is made of, and how much of each. */
function sharesOf(old: number, count: number): Share[][] {
  const size = old / count;
  return Array.from({ length: count }, (_, index) => {
    const [begin, end] = [index * size, Math.min(old, (index + 1) * size)];
    const shares: Share[] = [];
    for (let from = Math.floor(begin); from < end; from++) {
      const part = Math.min(end, from + 1) - Math.max(begin, from);
      if (part > 1e-9 && from < old) shares.push([from, part / size]);
    }
    return shares;
  });
}

function addLine({ width, rgba }: Pixels, y: number, weight: number, across: Share[][], row: Float64Array): void {
  for (let x = 0; x < across.length; x++) {
    for (const [from, part] of across[x]!) {
      const at = (y * width + from) * 4;
      const share = (rgba[at + 3]! / 255) * part * weight;
      row[x * 4] = row[x * 4]! + rgba[at]! * share;
      row[x * 4 + 1] = row[x * 4 + 1]! + rgba[at + 1]! * share;
      row[x * 4 + 2] = row[x * 4 + 2]! + rgba[at + 2]! * share;
      row[x * 4 + 3] = row[x * 4 + 3]! + share;
    }
  }
}
