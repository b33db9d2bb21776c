// The door of the pictures: one drawn in the way this terminal knows, files that were shown, and opening them.

import { encodePng, type PictureFacts, pictureFacts, scaleDown } from "../../pictures/index.ts";
import { pixelsOf } from "./decode.ts";
import { cell, type Room, sizeFor } from "./fit.ts";
import { halfBlocks } from "./half-blocks.ts";
import { iterm } from "./iterm.ts";
import { kitty } from "./kitty.ts";
import { sixel } from "./sixel.ts";
import { hasAllColours, inMultiplexer, type Way } from "./way.ts";

export { awaitPhoto } from "./decode.ts";
export { fileLink } from "./link.ts";
export { ShownFiles } from "./shown-files.ts";
export { pictureWay, type Way } from "./way.ts";

export interface Canvas {
  way: Way;
  /** Of the terminal. */
  columns: number;
  rows: number;
  colour: boolean;
  env: NodeJS.ProcessEnv;
}

/** So many rows leave the words around a picture on the screen. */
const mostRows = 24;
/** A terminal has the whole file to read; what is larger than this is made smaller first. */
const largest = 500_000;

/** What to write for a picture, ending on the line below it; undefined when it cannot be drawn here. */
export function drawPicture(file: Buffer, canvas: Canvas): string | undefined {
  const { way, columns, rows, colour, env } = canvas;
  const facts = pictureFacts(file);
  if (!facts || way === "none") return undefined;
  const room: Room = { columns: Math.max(1, columns - 2), rows: Math.max(1, Math.min(mostRows, rows - 2)) };
  if (way === "blocks") {
    const pixels = colour ? pixelsOf(file, facts) : undefined;
    return pixels && halfBlocks(pixels, { ...room, columns: Math.min(room.columns, 100) }, hasAllColours(env));
  }
  // Characters may be narrower than they are taken to be, and the picture is then as much wider.
  const safe: Room = { ...room, columns: Math.max(1, Math.floor(room.columns * 0.87)) };
  if (way === "sixel") {
    const pixels = pixelsOf(file, facts);
    return pixels && through(sixel(pixels, safe), env);
  }
  const size = sizeFor(facts, safe);
  if (way === "iterm")
    return through(iterm(file.length > largest ? (asPng(file, facts, size) ?? file) : file, size), env);
  const png = facts.kind === "png" && file.length <= largest ? file : asPng(file, facts, size);
  return png && through(kitty(png, size), env);
}

/** With twice the pixels that are shown, for screens that are finer than most. */
function asPng(file: Buffer, facts: PictureFacts, { columns, rows }: Room): Buffer | undefined {
  const pixels = pixelsOf(file, facts);
  return pixels && encodePng(scaleDown(pixels, 2 * Math.max(columns * cell.width, rows * cell.height)));
}

/** tmux hands on what is wrapped for it, where the person has allowed that and asked for it. */
function through(drawing: string, env: NodeJS.ProcessEnv): string {
  if (!env.TMUX || !inMultiplexer(env)) return drawing;
  return drawing.replace(
    /\x1b(?:_G[^\x1b]*\x1b\\|\]1337;[^\x07]*\x07|P[^\x1b]*\x1b\\)/g,
    (sequence) => `\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`,
  );
}
