// Draws a picture with coloured half blocks: two pixels a character, in any terminal with colour.

import type { Pixels } from "../../pictures/index.ts";
import type { Room } from "./fit.ts";

export function halfBlocks(pixels: Pixels, { columns, rows }: Room, allColours: boolean): string {
  const scale = Math.min(columns / pixels.width, (rows * 2) / pixels.height, 1);
  const width = Math.max(1, Math.floor(pixels.width * scale));
  const height = Math.max(2, Math.floor(pixels.height * scale));
  const code = allColours ? ofAll : of256;
  const lines: string[] = [];
  for (let y = 0; y + 1 < height; y += 2) {
    let line = "";
    let [front, back] = ["", ""];
    for (let x = 0; x < width; x++) {
      const top = code(average(pixels, x / width, y / height, (x + 1) / width, (y + 1) / height));
      const bottom = code(average(pixels, x / width, (y + 1) / height, (x + 1) / width, (y + 2) / height));
      if (top !== front) line += `\x1b[38;${top}m`;
      if (bottom !== back) line += `\x1b[48;${bottom}m`;
      line += "▀";
      [front, back] = [top, bottom];
    }
    lines.push(`${line}\x1b[0m\n`);
  }
  return lines.join("");
}

type Colour = readonly [number, number, number];

const ofAll = (colour: Colour): string => `2;${colour.join(";")}`;

const steps = [0, 95, 135, 175, 215, 255];

/** The nearest in the cube of 6 × 6 × 6 colours, or among the greys. */
function of256(colour: Colour): string {
  const [red, green, blue] = colour;
  const cube = colour.map((value) =>
    steps.reduce((best, step, at) => (near(step, steps[best]!, value) ? at : best), 0),
  );
  const grey = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)));
  const distance = (other: readonly number[]): number =>
    colour.reduce((sum, value, channel) => sum + (value - other[channel]!) ** 2, 0);
  const byCube = distance(cube.map((at) => steps[at]!));
  const byGrey = distance([8 + grey * 10, 8 + grey * 10, 8 + grey * 10]);
  return `5;${byGrey < byCube ? 232 + grey : 16 + 36 * cube[0]! + 6 * cube[1]! + cube[2]!}`;
}

const near = (step: number, best: number, value: number): boolean => Math.abs(step - value) < Math.abs(best - value);

/** The mean colour of a part of the picture (given in fractions), on white. */
function average({ width, height, rgba }: Pixels, x0: number, y0: number, x1: number, y1: number): Colour {
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
