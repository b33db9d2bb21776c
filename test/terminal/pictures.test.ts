// What is written for a picture is read back by small readers of each protocol, and compared with the picture.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import xterm from "@xterm/headless";
import { describe, expect, test } from "vitest";
import { decodePng, encodePng, loadJpeg, type Pixels } from "../../src/pictures/index.ts";
import {
  awaitPhoto,
  type Canvas,
  drawPicture,
  fileLink,
  pictureWay,
  ShownFiles,
} from "../../src/terminal/pictures/index.ts";
import { findFile, openFile } from "../../src/terminal/pictures/open.ts";
import { Place } from "../support/program.ts";
import { Terminal } from "../support/terminal.ts";

function paint(width: number, height: number, colour: (x: number, y: number) => readonly number[]): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rgba.set([...colour(x, y), 255].slice(0, 4), (y * width + x) * 4);
  return { width, height, rgba };
}

const flag = paint(120, 90, (_, y) => (y < 30 ? [0, 0, 0] : y < 60 ? [204, 0, 0] : [255, 204, 0]));
const sky = paint(300, 200, (x, y) => [Math.round((x * 255) / 300), Math.round((y * 255) / 200), 128]);
const draw = (file: Buffer, canvas: Partial<Canvas> = {}) =>
  drawPicture(file, { way: "kitty", columns: 80, rows: 40, colour: true, env: {}, ...canvas });

describe("which way a terminal takes", () => {
  test.each([
    [{ TERM: "xterm-kitty" }, "kitty"],
    [{ TERM: "xterm-256color", KITTY_WINDOW_ID: "1" }, "kitty"],
    [{ TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }, "kitty"],
    [{ TERM: "xterm-256color", KONSOLE_VERSION: "220401" }, "kitty"],
    [{ TERM: "xterm-256color", KONSOLE_VERSION: "210800" }, "blocks"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "iterm"],
    [{ TERM: "xterm-256color", LC_TERMINAL: "iTerm2", SSH_TTY: "/dev/pts/1" }, "iterm"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "iterm"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode", TERM_PROGRAM_VERSION: "1.99.3" }, "iterm"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode", TERM_PROGRAM_VERSION: "1.70.0" }, "blocks"],
    [{ TERM: "foot" }, "sixel"],
    [{ TERM: "mlterm" }, "sixel"],
    [{ TERM: "xterm-256color", WT_SESSION: "0a1b" }, "sixel"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, "blocks"],
    [{ TERM: "xterm-256color" }, "blocks"],
    [{}, "blocks"],
    [{ TERM: "tmux-256color", TMUX: "/tmp/x", KITTY_WINDOW_ID: "1" }, "blocks"],
    [{ TERM: "screen.xterm-256color", STY: "1.pts", TERM_PROGRAM: "iTerm.app" }, "blocks"],
  ])("%o: %s", (env, way) => {
    expect(pictureWay(env, undefined)).toBe(way);
    expect(pictureWay(env, "auto")).toBe(way);
    expect(pictureWay(env, "sixel")).toBe("sixel");
    expect(pictureWay(env, "none")).toBe("none");
  });
});

describe("kitty", () => {
  test("the file arrives whole, in pieces, and nothing is answered", () => {
    const file = encodePng(paint(200, 200, (x, y) => [(x * 7919 + y * 104729) & 255, (x * y) & 255, (x ^ y) & 255]));
    const pieces = [...draw(file)!.matchAll(/\x1b_G([^;]*);([^\x1b]*)\x1b\\/g)];
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every(([, , data]) => data!.length <= 4096)).toBe(true);
    expect(pieces[0]![1]).toMatch(/^a=T,f=100,q=2,C=1,r=\d+,m=1$/);
    expect(pieces.slice(1).map(([, keys]) => keys)).toEqual([...pieces.slice(2).map(() => "m=1"), "m=0"]);
    expect(Buffer.from(pieces.map(([, , data]) => data).join(""), "base64")).toEqual(file);
  });

  test("it is never higher than 24 rows, nor than the screen, nor wider, nor larger than it is", () => {
    const rows = (pixels: Pixels, canvas?: Partial<Canvas>) => /[,;]r=(\d+)/.exec(draw(encodePng(pixels), canvas)!)![1];
    expect(rows(paint(640, 1000, () => [1, 2, 3]))).toBe("24");
    expect(
      rows(
        paint(640, 1000, () => [1, 2, 3]),
        { rows: 12 },
      ),
    ).toBe("10");
    // 38 columns, less what narrow characters may need, are 33 of 8 pixels: 264 × 198 pixels.
    expect(
      rows(
        paint(640, 480, () => [1, 2, 3]),
        { columns: 40 },
      ),
    ).toBe("12");
    expect(rows(flag)).toBe("5");
    expect(draw(encodePng(paint(2000, 4, () => [1, 2, 3])))).toContain("c=67,r=1,");
  });

  test("a large picture is made smaller before it is sent", () => {
    const noise = paint(1500, 1000, (x, y) => [(x * 7919 + y * 104729) % 251, (x * y) % 253, (x * x + y) % 255]);
    const file = encodePng(noise);
    expect(file.length).toBeGreaterThan(500_000);
    const data = [...draw(file)!.matchAll(/\x1b_G[^;]*;([^\x1b]*)\x1b\\/g)].map(([, piece]) => piece).join("");
    const sent = decodePng(Buffer.from(data, "base64"))!;
    expect(sent.width).toBeLessThan(1300);
    expect(sent.width / sent.height).toBeCloseTo(1.5, 1);
  });

  test("a photo is made a PNG for it; a kind that is not read is shown by iTerm2 alone", async () => {
    const { encodeJpeg } = await loadJpeg();
    const photo = encodeJpeg(flag, undefined);
    await awaitPhoto();
    const data = [...draw(photo)!.matchAll(/\x1b_G[^;]*;([^\x1b]*)\x1b\\/g)].map(([, piece]) => piece).join("");
    expect(meanDifference(flag, decodePng(Buffer.from(data, "base64"))!)).toBeLessThan(6);
    expect(meanDifference(flag, readSixel(draw(photo, { way: "sixel" })!))).toBeLessThan(8);
    expect(draw(photo, { way: "blocks" })).toContain("▀");
    expect(draw(photo, { way: "iterm" })).toContain(photo.toString("base64"));
    const gif = Buffer.from(
      "47494638396110001000800000ffffff00000021f90400000000002c00000000010001000002024401003b",
      "hex",
    );
    for (const way of ["kitty", "sixel", "blocks"] as const) expect(draw(gif, { way })).toBeUndefined();
    expect(draw(gif, { way: "iterm" })).toContain(gif.toString("base64"));
    expect(draw(Buffer.from("no picture"), { way: "iterm" })).toBeUndefined();
  });
});

test("iTerm2: the whole file with its size, as many rows high as we leave free", () => {
  const file = encodePng(flag);
  const [, keys, data] = /\x1b\]1337;File=([^:]*):([^\x07]*)\x07/.exec(draw(file, { way: "iterm" })!)!;
  expect(keys).toBe(`inline=1;size=${file.length};width=auto;height=5;preserveAspectRatio=1`);
  expect(Buffer.from(data!, "base64")).toEqual(file);
});

/** Reads sixels back into pixels. */
function readSixel(text: string): Pixels {
  const [, width, height, body] = /\x1bP0;1;0q"1;1;(\d+);(\d+)([^\x1b]*)\x1b\\/.exec(text)!;
  const pixels = paint(Number(width), Number(height), () => [0, 0, 0, 0]);
  const palette: number[][] = [];
  let [x, top, colour] = [0, 0, 0];
  for (const [part, index, red, green, blue, use, many, repeated] of body!.matchAll(
    /#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|[?-~]|[-$]/g,
  )) {
    if (index) palette[Number(index)] = [red, green, blue].map((value) => Math.round((Number(value) * 255) / 100));
    else if (use) colour = Number(use);
    else if (part === "$") x = 0;
    else if (part === "-") [x, top] = [0, top + 6];
    else {
      const bits = (repeated ?? part).charCodeAt(0) - 63;
      for (let count = Number(many ?? 1); count > 0; count--, x++)
        for (let row = 0; row < 6; row++)
          if (bits & (1 << row)) pixels.rgba.set([...palette[colour]!, 255], ((top + row) * pixels.width + x) * 4);
    }
  }
  return pixels;
}

function meanDifference(a: Pixels, b: Pixels, block = 1): number {
  let [sum, count] = [0, 0];
  const mean = ({ width, rgba }: Pixels, left: number, top: number, channel: number): number => {
    let total = 0;
    for (let y = top; y < top + block; y++)
      for (let x = left; x < left + block; x++) total += rgba[(y * width + x) * 4 + channel]!;
    return total / block ** 2;
  };
  for (let y = 0; y + block <= a.height; y += block)
    for (let x = 0; x + block <= a.width; x += block)
      for (let channel = 0; channel < 4; channel++, count++)
        sum += Math.abs(mean(a, x, y, channel) - mean(b, x, y, channel));
  return sum / count;
}

describe("sixel", () => {
  test("a picture of few colours comes back as it is", () => {
    const back = readSixel(draw(encodePng(flag), { way: "sixel" })!);
    expect([back.width, back.height]).toEqual([120, 90]);
    const small = paint(60, 40, (x, y) => [x < 30 ? 255 : 0, y < 20 ? 204 : 0, 51]);
    const same = readSixel(draw(encodePng(small), { way: "sixel" })!);
    expect(Buffer.from(same.rgba).equals(Buffer.from(small.rgba))).toBe(true);
  });

  test("one of many colours is dithered: every pixel is painted, and from a little way off it is the same", () => {
    const text = draw(encodePng(sky), { way: "sixel", columns: 100 })!;
    const back = readSixel(text);
    expect([back.width, back.height]).toEqual([300, 200]);
    expect(new Set(text.match(/#\d+;2/g)).size).toBe(256);
    expect(back.rgba.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
    expect(meanDifference(sky, back)).toBeLessThan(6);
    expect(meanDifference(sky, back, 8)).toBeLessThan(1.5);
  });

  test("it is made smaller first, and keeps its shape", () => {
    const wide = encodePng(paint(1600, 900, (x) => [x & 255, 0, 0]));
    const back = readSixel(draw(wide, { way: "sixel", columns: 50 })!);
    expect(back.width).toBeLessThanOrEqual(48 * 8);
    expect(back.width / back.height).toBeCloseTo(16 / 9, 1);
  });
});

describe("half blocks", () => {
  test("two pixels a character, with colours only where they change", () => {
    const text = draw(encodePng(paint(4, 4, (x, y) => (y === 0 ? [255, 0, 0] : x < 2 ? [0, 255, 0] : [0, 0, 255]))), {
      way: "blocks",
    });
    expect(text).toBe(
      "\x1b[38;2;255;0;0m\x1b[48;2;0;255;0m▀▀\x1b[48;2;0;0;255m▀▀\x1b[0m\n" +
        "\x1b[38;2;0;255;0m\x1b[48;2;0;255;0m▀▀\x1b[38;2;0;0;255m\x1b[48;2;0;0;255m▀▀\x1b[0m\n",
    );
  });

  test("256 colours where there are no more, and none without colour", () => {
    const red = encodePng(paint(1, 2, (_, y) => (y === 0 ? [255, 0, 0] : [128, 128, 128])));
    const env = { TERM_PROGRAM: "Apple_Terminal" };
    expect(draw(red, { way: "blocks", env })).toBe("\x1b[38;5;196m\x1b[48;5;244m▀\x1b[0m\n");
    expect(draw(red, { way: "blocks", colour: false })).toBeUndefined();
    expect(draw(red, { way: "none" })).toBeUndefined();
  });
});

describe("the screen", () => {
  test.each(["kitty", "iterm", "sixel", "blocks"] as const)(
    "what is written after a picture (%s) is below it",
    async (way) => {
      const screen = new xterm.Terminal({ cols: 80, rows: 20, scrollback: 1000, allowProposedApi: true });
      const write = (text: string) => new Promise<void>((done) => screen.write(text.replaceAll("\n", "\r\n"), done));
      // In the middle of the screen, and then at its bottom.
      for (let round = 1; round <= 4; round++) {
        await write(`above ${round}\n${draw(encodePng(flag), { way, rows: 20 })}below ${round}\n`);
      }
      const buffer = screen.buffer.active;
      const lines = Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at)!.translateToString(true));
      const words = lines.flatMap((line, at) => (/^(above|below)/.test(line) ? [{ line, at }] : []));
      expect(words.map(({ line }) => line)).toEqual(
        [1, 2, 3, 4].flatMap((round) => [`above ${round}`, `below ${round}`]),
      );
      const free = words
        .filter(({ line }) => line.startsWith("below"))
        .map(({ at }, round) => at - words[round * 2]!.at - 1);
      // Sixels measure pixels; a terminal that does not know them leaves one line.
      const expected = { kitty: 5, iterm: 5, sixel: 1, blocks: 18 }[way];
      expect(free).toEqual([expected, expected, expected, expected]);
      expect(buffer.baseY + buffer.cursorY).toBe(words.at(-1)!.at + 1);
      expect(buffer.cursorX).toBe(0);
    },
  );

  test("inside tmux, what was asked for is wrapped so that it is handed on", () => {
    const text = draw(encodePng(flag), { env: { TMUX: "/tmp/tmux-0/default,1,0", TERM: "tmux-256color" } })!;
    const [, inside] = /\x1bPtmux;((?:\x1b\x1b|[^\x1b])*)\x1b\\/.exec(text)!;
    expect(inside!.replaceAll("\x1b\x1b", "\x1b")).toMatch(/^\x1b_Ga=T,f=100,[^\x1b]*\x1b\\$/);
    expect(text.endsWith("\x1b[5B\r")).toBe(true);
  });
});

describe("files that were shown", () => {
  test("a path is a link where the terminal has links", () => {
    const path = "/tmp/a picture.png";
    expect(fileLink(path, { TERM: "xterm" })).toBe(path);
    expect(fileLink(path, { TERM: "tmux-256color", TMUX: "x", VTE_VERSION: "7000" })).toBe(path);
    const link = fileLink(path, { TERM: "xterm-256color", VTE_VERSION: "7000" });
    expect(link).toBe(`\x1b]8;;file://${hostname().toLowerCase()}/tmp/a%20picture.png\x1b\\${path}\x1b]8;;\x1b\\`);
  });

  test("the last, the N-th, or one by its path is meant", () => {
    const folder = mkdtempSync(join(tmpdir(), "shown-"));
    try {
      const shown = new ShownFiles((name) => join(folder, name));
      expect(findFile(undefined, shown, folder)).toEqual({ problem: "Nothing has been shown yet." });
      shown.save("picture", "png", Buffer.from("1"));
      shown.save("page", "html", "<p>2</p>");
      expect(findFile(undefined, shown, folder)).toEqual({ path: join(folder, "page-2.html") });
      expect(findFile("1", shown, folder)).toEqual({ path: join(folder, "picture-1.png") });
      expect(findFile("3", shown, folder)).toEqual({ problem: "There is no file 3: 2 were shown." });
      writeFileSync(join(folder, "my file.txt"), "");
      expect(findFile("my file.txt", shown, folder)).toEqual({ path: join(folder, "my file.txt") });
      expect(findFile("'my file.txt'", shown, folder)).toEqual({ path: join(folder, "my file.txt") });
      expect(findFile("none.txt", shown, folder)).toEqual({ problem: `There is no file ${join(folder, "none.txt")}.` });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("the system's viewer is started beside us; where there is none, the person is told where the file is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "viewer-"));
    try {
      const [picture, opened] = [join(folder, "it's a $(picture).png"), join(folder, "opened")];
      const { PATH } = process.env;
      writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\necho noise\necho "$1" > ${opened}\nsleep 60\n`, {
        mode: 0o700,
      });
      const env = { PATH: `${folder}:${PATH}`, DISPLAY: ":0" };
      expect(await openFile(picture, env, "linux")).toBe(`Opened ${picture}`);
      while (!existsSync(opened) || readFileSync(opened, "utf8") === "") await sleep(10);
      expect(readFileSync(opened, "utf8")).toBe(`${picture}\n`);
      const nowhere = { PATH: join(folder, "empty"), DISPLAY: ":0" };
      expect(await openFile(picture, nowhere, "linux")).toBe(
        `There is no xdg-open here to open it with. The file is ${picture}`,
      );
      expect(await openFile(picture, { PATH }, "linux")).toBe(
        `There is no display here to open it on. The file is ${picture}`,
      );
      expect(await openFile(picture, { ...env, SSH_CONNECTION: "1 2" }, "linux")).toMatch(
        /^You are connected from another/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("in the chat", () => {
  const raw = `%python display({"image/png": "${encodePng(flag).toString("base64")}"}, raw=True)`;

  async function chat(place: Place, args: string[] = []): Promise<Terminal> {
    const screen = new Terminal(place, args, { columns: 200, rows: 40 });
    await screen.see("No model is set up");
    return screen;
  }

  test.each([
    ["kitty, by its name in the environment", { KITTY_WINDOW_ID: "1" }, [], /\x1b_Ga=T,f=100,[^;]*;/],
    ["sixel, by the setting", {}, ["--images", "sixel"], /\x1bP0;1;0q"1;1;120;90/],
    ["iTerm2, from the environment's setting", { INTERPRETER_IMAGES: "iterm" }, [], /\x1b\]1337;File=inline=1;/],
    ["kitty without colour", { KITTY_WINDOW_ID: "1", NO_COLOR: "1" }, [], /\x1b_Ga=T,f=100,/],
  ])("%s", async (_, env, args, drawn) => {
    using place = new Place(env);
    await using screen = await chat(place, args);
    screen.enter(raw);
    await screen.see(/picture, 120 × 90: .*picture-1\.png\n\n>$/);
    expect(screen.raw).toMatch(drawn);
    expect(screen.raw).not.toContain("▀");
  });

  test("a photo is drawn, and saved as what it is", async () => {
    const { encodeJpeg } = await loadJpeg();
    using place = new Place();
    await using screen = await chat(place);
    screen.enter(`%python display({"image/jpeg": "${encodeJpeg(flag, undefined).toString("base64")}"}, raw=True)`);
    await screen.see(/picture, 120 × 90: .*picture-1\.jpeg\n\n>$/);
    expect(screen.text()).toContain("▀▀▀");
  });

  test.each([
    ["half blocks without colour", { NO_COLOR: "1" }, []],
    ["none", {}, ["--images", "none"]],
    ["--plain", { KITTY_WINDOW_ID: "1" }, ["--plain"]],
  ])("%s: only where it is", async (_, env, args) => {
    using place = new Place(env);
    await using screen = await chat(place, args);
    screen.enter(raw);
    await screen.see(/picture: .*picture-1\.png\n\n>$/);
    expect(screen.raw).not.toMatch(/▀|\x1b_G|\x1bP0|1337/);
  });

  test("a wrong way is told before anything starts", async () => {
    using place = new Place();
    const { code, stderr } = await place.run(["--images", "cinema"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--images is one of auto, kitty, iterm, sixel, blocks, none");
  });

  test("%open opens what was shown: pictures, and pages that code made", async () => {
    using place = new Place({ DISPLAY: ":0" });
    const opened = join(place.folder, "opened");
    writeFileSync(join(place.folder, "xdg-open"), `#!/bin/sh\necho noise\necho "$1" >> ${opened}\n`, { mode: 0o700 });
    place.env.PATH = `${place.folder}:${place.env.PATH}`;
    await using screen = await chat(place);
    screen.enter("%open");
    await screen.see("Nothing has been shown yet.");
    screen.enter(raw);
    await screen.see(/picture-1\.png\n\n>$/);
    screen.enter("%python display({'text/html': '<b>hello</b>'}, raw=True)");
    await screen.see(/page: .*page-2\.html\n\n>$/);
    screen.enter("%open");
    await screen.see(/Opened .*page-2\.html/);
    screen.enter("%open 1");
    await screen.see(/Opened .*picture-1\.png/);
    const paths = () => (existsSync(opened) ? readFileSync(opened, "utf8").trim().split("\n") : []);
    while (paths().length < 2) await sleep(10);
    expect(readFileSync(paths()[0]!, "utf8")).toBe("<b>hello</b>");
    expect(readFileSync(paths()[1]!)).toEqual(encodePng(flag));
    screen.enter("%open 9");
    await screen.see("There is no file 9: 2 were shown.");
    expect(screen.text()).not.toContain("noise");
  });
});
