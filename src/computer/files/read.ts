// Reads a file, or some of its lines, within bounds.

import { type FileHandle, open } from "node:fs/promises";
import { ComputerFault, type Context } from "../module.ts";
import { onPath, openPlace } from "./place.ts";

const longest = 1_000_000;
const pieceSize = 1 << 16;

export function read(
  { path, start = 1, end = Number.POSITIVE_INFINITY }: { path: string; start?: number; end?: number },
  context: Context,
): Promise<string> {
  if (!(start >= 1) || !(end >= start))
    throw new ComputerFault("ValueError", "Lines are counted from 1, and end is not before start.");
  return onPath(path, context.cwd, async () => {
    const file = await openText(path, context);
    try {
      return await readLines(file, path, start, end, context);
    } finally {
      await file.close();
    }
  });
}

/** Opens a regular file: a pipe or a device could keep us waiting for ever. */
export async function openText(path: string, context: Pick<Context, "cwd" | "view">): Promise<FileHandle> {
  const { constants } = await import("node:fs");
  using place = openPlace(path, context);
  const asIs = place.held ? constants.O_NOFOLLOW : 0;
  const file = await open(place.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | asIs);
  const facts = await file.stat();
  if (facts.isFile()) return file;
  await file.close();
  if (facts.isDirectory())
    throw new ComputerFault("IsADirectoryError", `${path} is a folder: computer.files.list shows what is in it.`);
  throw new ComputerFault("ValueError", `${path} is not a regular file.`);
}

async function readLines(
  file: FileHandle,
  path: string,
  start: number,
  end: number,
  { signal, note }: Context,
): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  let line = 1;
  let more = false;
  let encoding = "utf-8";
  for (let at = 0; line <= end && !more; ) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(pieceSize), 0, pieceSize, at);
    if (bytesRead === 0) break;
    const piece = buffer.subarray(0, bytesRead);
    if (at === 0) encoding = encodingOf(piece, path);
    at += bytesRead;
    if (encoding !== "utf-8") {
      // Its line ends are two bytes, so it is cut into lines when it is text.
      parts.push(piece);
      size += bytesRead;
      more = size > longest;
      continue;
    }
    for (let from = 0; from < piece.length && line <= end; ) {
      const found = piece.indexOf(0x0a, from);
      const to = found === -1 ? piece.length : found + 1;
      if (line >= start) {
        if (size + to - from > longest) {
          parts.push(piece.subarray(from, from + longest - size));
          more = true;
          break;
        }
        parts.push(piece.subarray(from, to));
        size += to - from;
      }
      if (found !== -1) line++;
      from = to;
    }
  }
  const bytes = Buffer.concat(parts);
  const text = new TextDecoder(encoding).decode(bytes);
  if (encoding === "utf-8" && text.includes("\ufffd") && !bytes.includes("\ufffd"))
    note(`some bytes of ${path} are not UTF-8 and are shown as \ufffd`);
  if (more) note(`cut after ${longest.toLocaleString("en")} bytes, in line ${line}: read(path, ${line}) goes on there`);
  if (encoding === "utf-8") return text;
  return text
    .split(/(?<=\n)/)
    .slice(start - 1, end)
    .join("");
}

function encodingOf(head: Buffer, path: string): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head.subarray(0, 8_192).includes(0))
    throw new ComputerFault(
      "ValueError",
      `${path} is not text but binary data: open it with code that knows its format.`,
    );
  return "utf-8";
}
