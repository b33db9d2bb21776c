// Pictures: what a file is, its pixels, and the same in fewer of them.

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { encodePng } from "../../src/pictures/encode-png.ts";
import { decodePng, type Pixels, pictureFacts, preparePicture } from "../../src/pictures/index.ts";
import { scaleDown } from "../../src/pictures/scale.ts";
import { testPython } from "../support/session.ts";
import { channelsOf, type Kind, writePng } from "./write-png.ts";

const [width, height] = [23, 17];

/** A picture with a little of everything, the same every time. */
const value = (x: number, y: number, channel: number, depth: number): number =>
  (x * 7 + y * 13 + channel * 101 + x * y) % 2 ** depth;

const kinds: Kind[] = [0, 2, 3, 4, 6].flatMap((colour) =>
  [1, 2, 4, 8, 16]
    .filter((depth) => colour === 0 || (colour === 3 ? depth < 16 : depth > 4))
    .flatMap((depth) => [false, true].map((interlaced) => ({ colour, depth, interlaced }) as Kind)),
);

describe.each(kinds)("a PNG of colour type $colour, $depth bits, interlaced: $interlaced", (kind) => {
  test("is read", () => {
    const palette = Buffer.from(Array.from({ length: 256 * 3 }, (_, index) => (index * 31) % 256));
    const transparency = kind.colour === 3 ? Buffer.from([0, 100]) : undefined;
    const whole: Kind = kind.colour === 3 ? { ...kind, palette, ...(transparency && { transparency }) } : kind;
    const pixels = decodePng(writePng(width, height, whole, (x, y, c) => value(x, y, c, kind.depth)))!;
    expect([pixels.width, pixels.height]).toEqual([width, height]);
    const scaled = (x: number, y: number, channel: number): number => {
      const raw = value(x, y, channel, kind.depth);
      return kind.depth === 16 ? raw >> 8 : Math.floor((raw * 255) / (2 ** kind.depth - 1));
    };
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 4;
        const index = value(x, y, 0, kind.depth);
        const channels = channelsOf[kind.colour];
        const expected =
          kind.colour === 3
            ? [...palette.subarray(index * 3, index * 3 + 3), transparency![index] ?? 255]
            : [
                scaled(x, y, 0),
                scaled(x, y, channels < 3 ? 0 : 1),
                scaled(x, y, channels < 3 ? 0 : 2),
                channels % 2 === 0 ? scaled(x, y, channels - 1) : 255,
              ];
        expect([...pixels.rgba.subarray(at, at + 4)], `pixel ${x}, ${y}`).toEqual(expected);
      }
  });
});

test("one colour may stand for nothing", () => {
  const transparency = Buffer.from([0, 7]);
  const pixels = decodePng(writePng(2, 1, { colour: 0, depth: 8, transparency }, (x) => (x === 0 ? 7 : 8)))!;
  expect([pixels.rgba[3], pixels.rgba[7]]).toEqual([0, 255]);
});

test("what is broken is no picture", () => {
  const file = writePng(30, 30, { colour: 2, depth: 8 }, () => 1);
  expect(decodePng(file.subarray(0, 60))).toBeUndefined();
  expect(decodePng(Buffer.from("not a picture at all, but long enough to be read as one"))).toBeUndefined();
  const bomb = writePng(2, 2, { colour: 2, depth: 8 }, () => 0);
  bomb.writeUInt32BE(1_000_000, 16);
  bomb.writeUInt32BE(1_000_000, 20);
  expect(decodePng(bomb)).toBeUndefined();
});

const gradient = (columns: number, rows: number, noise = false): Pixels => {
  const rgba = new Uint8Array(columns * rows * 4);
  let seed = 1;
  for (let at = 0; at < rgba.length; at++) {
    seed = (seed * 48271) % 2147483647;
    rgba[at] = at % 4 === 3 ? 255 : noise ? seed & 255 : ((at >> 2) % columns) & 255;
  }
  return { width: columns, height: rows, rgba };
};

test("what is written is read back, here and by others", () => {
  const pixels = gradient(37, 21, true);
  const file = encodePng(pixels);
  expect(decodePng(file)).toEqual(pixels);
  const script =
    "import sys, io, PIL.Image as I; sys.stdout.buffer.write(I.open(io.BytesIO(sys.stdin.buffer.read())).convert('RGBA').tobytes())";
  expect(new Uint8Array(execFileSync(testPython, ["-c", script], { input: file }))).toEqual(pixels.rgba);
  const clear = { ...pixels, rgba: pixels.rgba.map((each, at) => (at % 4 === 3 ? at & 255 : each)) };
  expect(decodePng(encodePng(clear))).toEqual(clear);
});

test("a smaller picture is the mean of the larger one, and what cannot be seen does not colour it", () => {
  const chess: Pixels = { width: 4, height: 4, rgba: new Uint8Array(64) };
  for (let at = 0; at < 16; at++) chess.rgba.set(at % 2 ? [200, 100, 0, 255] : [0, 255, 255, 0], at * 4);
  const small = scaleDown(chess, 2);
  expect([small.width, small.height]).toEqual([2, 2]);
  expect([...small.rgba.subarray(0, 4)]).toEqual([200, 100, 0, 128]);
  expect(scaleDown(gradient(300, 100), 90)).toMatchObject({ width: 90, height: 30 });
  expect(scaleDown(gradient(5, 3000), 100)).toMatchObject({ width: 1, height: 100 });
});

describe("kinds of files, as others write them", () => {
  const made = (format: string, size = "(321, 123)"): Buffer =>
    execFileSync(testPython, [
      "-c",
      `import sys, io, PIL.Image as I; b = io.BytesIO(); I.new('RGB', ${size}, (10, 200, 30)).save(b, '${format}'); sys.stdout.buffer.write(b.getvalue())`,
    ]);

  test.each(["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"])("%s", (format) => {
    expect(pictureFacts(made(format))).toEqual({ kind: format.toLowerCase(), width: 321, height: 123 });
  });

  test("text, a cut file and an empty one are none", () => {
    expect(pictureFacts(Buffer.from("BM is how this sentence begins, and GIF89a is in it"))).toBeUndefined();
    expect(pictureFacts(made("JPEG").subarray(0, 12))).toBeUndefined();
    expect(pictureFacts(Buffer.alloc(0))).toBeUndefined();
  });

  const limits = { edge: 100, hardEdge: 1000, size: 40_000 };

  test("what fits goes as it is; a BMP becomes a PNG; a TIFF cannot go", async () => {
    const small = made("JPEG", "(80, 60)");
    expect(await preparePicture(small, limits)).toEqual({ mediaType: "image/jpeg", base64: small.toString("base64") });
    const bmp = await preparePicture(made("BMP", "(80, 60)"), limits);
    expect(bmp).toMatchObject({ mediaType: "image/png" });
    const pixels = decodePng(Buffer.from("base64" in bmp ? bmp.base64 : "", "base64"))!;
    expect([pixels.width, ...pixels.rgba.subarray(0, 4)]).toEqual([80, 10, 200, 30, 255]);
    expect(await preparePicture(made("TIFF"), limits)).toEqual({
      problem: "is a TIFF file, which models cannot read: convert it to PNG",
    });
  });

  test("a large PNG becomes smaller until it fits, the same each time", async () => {
    const file = encodePng(gradient(900, 300, true));
    const once = await preparePicture(file, limits);
    expect(await preparePicture(file, limits)).toEqual(once);
    const base64 = "base64" in once ? once.base64 : "";
    expect(base64.length).toBeLessThanOrEqual(limits.size);
    expect(pictureFacts(Buffer.from(base64, "base64"))).toEqual({ kind: "png", width: 100, height: 33 });
    const tighter = await preparePicture(file, { ...limits, size: 8_000 });
    const size = pictureFacts(Buffer.from("base64" in tighter ? tighter.base64 : "", "base64"))!;
    expect(size.width).toBeLessThan(100);
  });

  test("a large photo stays a photo, the right side up", async () => {
    const script =
      "import sys, io, PIL.Image as I; b = io.BytesIO(); e = I.Exif(); e[0x112] = 6; I.effect_noise((900, 600), 80).convert('RGB').save(b, 'JPEG', quality=95, progressive=True, exif=e); sys.stdout.buffer.write(b.getvalue())";
    const photo = execFileSync(testPython, ["-c", script]);
    const smaller = await preparePicture(photo, { ...limits, edge: 300 });
    const file = Buffer.from("base64" in smaller ? smaller.base64 : "", "base64");
    expect(smaller).toMatchObject({ mediaType: "image/jpeg" });
    expect(await preparePicture(photo, { ...limits, edge: 300 })).toEqual(smaller);
    const read =
      "import sys, io, PIL.Image as I; i = I.open(io.BytesIO(sys.stdin.buffer.read())); i.load(); print(i.size, i.getexif()[0x112])";
    expect(execFileSync(testPython, ["-c", read], { input: file }).toString()).toBe("(300, 200) 6\n");
  });

  test("what cannot be made smaller is said to be too large", async () => {
    expect(await preparePicture(made("GIF", "(1200, 900)"), limits)).toEqual({
      problem: expect.stringMatching(/^is too large to be sent \(1200 × 900 pixels, \d+\.\d MB\)$/),
    });
    expect(await preparePicture(made("GIF", "(300, 200)"), limits)).toMatchObject({ mediaType: "image/gif" });
  });
});
