// Draws a picture with coloured half blocks: two pixels a character, in any terminal with colour.

import type { Pixels } from "./png.ts";

export function halfBlocks(pixels: Pixels, columns: number, rows: number): string {
  const scale = Math.min(columns / pixels.width, (rows * 2) / pixels.height, 1);
  const width = Math.max(1, Math.floor(pixels.width * scale));
  const height = Math.max(2, Math.floor(pixels.height * scale));
  const lines: string[] = [];
  for (let y = 0; y + 1 < height; y += 2) {
    let line = "";
    for (let x = 0; x < width; x++) {
      const top = average(pixels, x / width, y / height, (x + 1) / width, (y + 1) / height);
      const bottom = average(pixels, x / width, (y + 1) / height, (x + 1) / width, (y + 2) / height);
      line += `\x1b[38;2;${top.join(";")}m\x1b[48;2;${bottom.join(";")}m▀`;
    }
    lines.push(`${line}\x1b[0m`);
  }
  return lines.join("\n");
}

/** The mean colour of a part of the picture (given in fractions), on white. */
function average(
  { width, height, rgba }: Pixels,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): [number, number, number] {
  const [left, top] = [Math.floor(x0 * width), Math.floor(y0 * height)];
  const right = Math.max(left + 1, Math.min(width, Math.floor(x1 * width)));
  const bottom = Math.max(top + 1, Math.min(height, Math.floor(y1 * height)));
  let [red, green, blue, count] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 4;
      const alpha = rgba[at + 3]! / 255;
      red += rgba[at]! * alpha + 255 * (1 - alpha);
      green += rgba[at + 1]! * alpha + 255 * (1 - alpha);
      blue += rgba[at + 2]! * alpha + 255 * (1 - alpha);
      count++;
    }
  }
  return [Math.round(red / count), Math.round(green / count), Math.round(blue / count)];
}
