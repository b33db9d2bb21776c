// A picture as sixels: bands of six pixels high, one character a column and colour.

import { type Pixels, scaleDown } from "../../pictures/index.ts";
import { cell, type Room } from "./fit.ts";
import { withPalette } from "./palette.ts";

const mostColours = 256;

export function sixel(pixels: Pixels, { columns, rows }: Room): string {
  const scale = Math.min(1, (columns * cell.width) / pixels.width, (rows * cell.height) / pixels.height);
  const small = scaleDown(pixels, Math.max(1, Math.floor(Math.max(pixels.width, pixels.height) * scale)));
  const picture = withPalette(small, mostColours);
  const { width, height, palette } = picture;
  const percent = (value: number): number => Math.round((value * 100) / 255);
  const colours = palette.map((colour, index) => `#${index};2;${colour.map(percent).join(";")}`).join("");
  const bands: string[] = [];
  for (let top = 0; top < height; top += 6) bands.push(bandOf(picture.pixels, width, height, top));
  // Pixels are square, and what is not painted keeps the colour of the screen.
  return `\x1bP0;1;0q"1;1;${width};${height}${colours}${bands.join("-")}\x1b\\\n`;
}

/** One line for each colour of the band, all painted over each other. */
function bandOf(pixels: Uint8Array, width: number, height: number, top: number): string {
  const lines = new Map<number, Uint8Array>();
  for (let row = 0; row < 6 && top + row < height; row++) {
    for (let x = 0; x < width; x++) {
      const colour = pixels[(top + row) * width + x]!;
      let line = lines.get(colour);
      if (!line) {
        line = new Uint8Array(width);
        lines.set(colour, line);
      }
      line[x]! |= 1 << row;
    }
  }
  return [...lines].map(([colour, line]) => `#${colour}${runs(line)}`).join("$");
}

/** Runs of the same character are counted; nothing is said of empty space at the end. */
function runs(line: Uint8Array): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === 0) end--;
  let text = "";
  for (let at = 0; at < end; ) {
    let next = at + 1;
    while (next < end && line[next] === line[at]) next++;
    const character = String.fromCharCode(63 + line[at]!);
    text += next - at > 3 ? `!${next - at}${character}` : character.repeat(next - at);
    at = next;
  }
  return text;
}
