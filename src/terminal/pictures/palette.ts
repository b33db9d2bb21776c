// Few colours for a picture of many: its own where they are few enough, otherwise the means of equally full boxes of colours
// (median cut), with what is lost spread over the pixels around (Floyd and Steinberg).

import type { Pixels } from "../../pictures/index.ts";

export interface Indexed {
  width: number;
  height: number;
  /** Red, green and blue of each colour. */
  palette: (readonly [number, number, number])[];
  /** The colour of each pixel, row by row. */
  pixels: Uint8Array;
}

export function withPalette(picture: Pixels, most: number): Indexed {
  const rgb = onWhite(picture);
  const { width, height } = picture;
  return { width, height, ...(ownColours(rgb, most) ?? dithered(rgb, width, height, most)) };
}

function onWhite({ rgba }: Pixels): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    const alpha = rgba[from + 3]! / 255;
    for (let channel = 0; channel < 3; channel++)
      rgb[to + channel] = Math.round(rgba[from + channel]! * alpha + 255 * (1 - alpha));
  }
  return rgb;
}

type Colours = Pick<Indexed, "palette" | "pixels">;

function ownColours(rgb: Uint8Array, most: number): Colours | undefined {
  const known = new Map<number, number>();
  const pixels = new Uint8Array(rgb.length / 3);
  for (let from = 0, to = 0; from < rgb.length; from += 3, to++) {
    const colour = (rgb[from]! << 16) | (rgb[from + 1]! << 8) | rgb[from + 2]!;
    const index = known.get(colour) ?? known.size;
    if (index === most) return undefined;
    known.set(colour, index);
    pixels[to] = index;
  }
  return { palette: [...known.keys()].map((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]), pixels };
}

/** Colours that differ only in the last bits are one while boxes are made. */
interface Bin {
  count: number;
  sum: [number, number, number];
}

function medianCut(rgb: Uint8Array, most: number): Indexed["palette"] {
  const bins = new Map<number, Bin>();
  for (let from = 0; from < rgb.length; from += 3) {
    const key = keyOf(rgb[from]!, rgb[from + 1]!, rgb[from + 2]!);
    let bin = bins.get(key);
    if (!bin) {
      bin = { count: 0, sum: [0, 0, 0] };
      bins.set(key, bin);
    }
    bin.count++;
    for (let channel = 0; channel < 3; channel++) bin.sum[channel]! += rgb[from + channel]!;
  }
  const boxes = [boxOf([...bins.values()])];
  while (boxes.length < most) {
    const widest = boxes.reduce((best, box) => (box.weight > best.weight ? box : best));
    if (widest.bins.length < 2) break;
    boxes.splice(boxes.indexOf(widest), 1, ...halves(widest));
  }
  return boxes.map(({ bins: inside }) => meanOf(inside));
}

interface Box {
  bins: Bin[];
  /** The channel in which its colours differ most. */
  channel: number;
  /** How much is gained by parting it. */
  weight: number;
}

function boxOf(bins: Bin[]): Box {
  const ranges = [0, 1, 2].map((channel) => {
    const values = bins.map((bin) => bin.sum[channel]! / bin.count);
    return values.reduce((most, value) => Math.max(most, value), 0) - values.reduce((a, b) => Math.min(a, b), 255);
  });
  const channel = ranges.indexOf(Math.max(...ranges));
  const count = bins.reduce((sum, bin) => sum + bin.count, 0);
  return { bins, channel, weight: bins.length < 2 ? 0 : ranges[channel]! * Math.sqrt(count) };
}

function halves({ bins, channel }: Box): [Box, Box] {
  const sorted = bins.sort((a, b) => a.sum[channel]! / a.count - b.sum[channel]! / b.count);
  const half = sorted.reduce((sum, bin) => sum + bin.count, 0) / 2;
  let [at, before] = [0, 0];
  while (at < sorted.length - 1 && before + sorted[at]!.count <= half) before += sorted[at++]!.count;
  const cut = Math.max(1, at);
  return [boxOf(sorted.slice(0, cut)), boxOf(sorted.slice(cut))];
}

function meanOf(bins: readonly Bin[]): readonly [number, number, number] {
  const count = bins.reduce((sum, bin) => sum + bin.count, 0);
  const mean = (channel: number): number => Math.round(bins.reduce((sum, bin) => sum + bin.sum[channel]!, 0) / count);
  return [mean(0), mean(1), mean(2)];
}

function dithered(rgb: Uint8Array, width: number, height: number, most: number): Colours {
  const palette = medianCut(rgb, most);
  const nearest = nearestIn(palette);
  const pixels = new Uint8Array(width * height);
  // What each pixel of this row and the next is owed, a pixel wider on both sides.
  let now = new Float32Array((width + 2) * 3);
  let next = new Float32Array((width + 2) * 3);
  const wanted = [0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      for (let channel = 0; channel < 3; channel++) {
        const value = rgb[at * 3 + channel]! + now[(x + 1) * 3 + channel]!;
        wanted[channel] = Math.max(0, Math.min(255, value));
      }
      const index = nearest(wanted[0]!, wanted[1]!, wanted[2]!);
      pixels[at] = index;
      for (let channel = 0; channel < 3; channel++) {
        const lost = (wanted[channel]! - palette[index]![channel]!) / 16;
        now[(x + 2) * 3 + channel]! += lost * 7;
        next[x * 3 + channel]! += lost * 3;
        next[(x + 1) * 3 + channel]! += lost * 5;
        next[(x + 2) * 3 + channel]! += lost;
      }
    }
    [now, next] = [next, now.fill(0)];
  }
  return { palette, pixels };
}

const keyOf = (red: number, green: number, blue: number): number =>
  ((red & 0xf8) << 7) | ((green & 0xf8) << 2) | (blue >> 3);

function nearestIn(palette: Indexed["palette"]): (red: number, green: number, blue: number) => number {
  const known = new Int16Array(1 << 15).fill(-1);
  return (red, green, blue) => {
    const key = keyOf(red, green, blue);
    if (known[key]! >= 0) return known[key]!;
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (const [index, [r, g, b]] of palette.entries()) {
      const distance = 2 * (r - red) ** 2 + 4 * (g - green) ** 2 + 3 * (b - blue) ** 2;
      if (distance < least) [best, least] = [index, distance];
    }
    known[key] = best;
    return best;
  };
}
