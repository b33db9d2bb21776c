// Pictures that a message names: files that are there and really are pictures go along with the words.

import { closeSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Interpreter } from "../interpreter/index.ts";
import { pictureFacts } from "../pictures/index.ts";
import { type FoundImage, mayNameImages } from "./image-names.ts";
import { readClipboardImage } from "./images-clipboard.ts";
import type { View } from "./view.ts";

/** Where a picture may be named: in quotes, as a URL, or as a word in which spaces are escaped, as terminals write what is dropped. */
const candidates = /"([^"\n]+)"|'([^'\n]+)'|file:\/\/\S+|(?:\\.|[^\s"'])+/g;

export function findImages(text: string, cwd: string): FoundImage[] {
  if (!mayNameImages(text)) return [];
  const whole = text.trim();
  const words = [...text.matchAll(candidates)].map(([all, double, single]) => ({
    word: double ?? single ?? all,
    quoted: double !== undefined || single !== undefined,
  }));
  const found = new Map<string, FoundImage>();
  for (const { word, quoted } of [{ word: whole, quoted: true }, ...words]) {
    const image = mayNameImages(word)
      ? spellings(word, quoted)
          .map((each) => lookAt(each, cwd))
          .find(Boolean)
      : undefined;
    if (image) found.set(image.path, image);
  }
  return [...found.values()];
}

/** What the word may mean as a path, likeliest first: as it is, unescaped, and without the punctuation behind it. */
function spellings(word: string, quoted: boolean): string[] {
  const bare = word.replace(/^[(<[]+/, "").replace(/[.,;:!?)>\]]+$/, "");
  const plain = (text: string): string => text.replace(/\\(.)/g, "$1");
  return quoted ? [word, plain(word)] : [...new Set([word, bare, plain(word), plain(bare)])];
}

/** How much of a file is read to tell what it is: a camera writes much before the size. */
const enough = 1_000_000;
const largest = 100_000_000;

/** The picture at a path, written as people write paths. */
export function lookAt(written: string, cwd: string): FoundImage | undefined {
  try {
    const path = toPath(written, cwd);
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > largest) return undefined;
    const head = Buffer.alloc(Math.min(stats.size, enough));
    const file = openSync(path, "r");
    try {
      readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
    const facts = pictureFacts(head);
    return facts && { path, ...facts };
  } catch {
    return undefined; // Not there, not ours to read, or no path at all.
  }
}

function toPath(written: string, cwd: string): string {
  if (/^file:\/\//i.test(written)) return fileURLToPath(written);
  return resolve(
    cwd,
    written.replace(/^~(?=[/\\]|$)/, () => homedir()),
  );
}

/** The picture at a path, or the one in the clipboard, which is kept beside the conversation. */
export async function takeImage(
  written: string | undefined,
  interpreter: Interpreter,
): Promise<FoundImage | { problem: string }> {
  if (written !== undefined) {
    const words = [written, ...spellings(written.replace(/^(["'])(.*)\1$/, "$2"), false)];
    const image = words.map((each) => lookAt(each, interpreter.cwd)).find(Boolean);
    return image ?? { problem: `There is no picture at ${written}.` };
  }
  const clipboard = await readClipboardImage();
  if ("problem" in clipboard) return clipboard;
  const path = interpreter.fileFor("clipboard.png");
  writeFileSync(path, clipboard.picture, { mode: 0o600 });
  return lookAt(path, "/") ?? { problem: "The picture in the clipboard cannot be read." };
}

/** Puts the pictures into the conversation, before the words that are said about them, and shows that they go along. */
export async function attachImages(
  interpreter: Interpreter,
  images: readonly FoundImage[],
  view: Pick<View, "print" | "style">,
): Promise<void> {
  if (images.length === 0) return;
  const { vision } = (await (await interpreter.model()).facts?.()) ?? {};
  for (const image of images) interpreter.add({ type: "image", format: "path", content: image.path });
  view.print(images.map((image) => view.style.dim(`attached ${describe(image)}\n`)).join(""));
  if (vision === false) view.print(view.style.dim("This model cannot see pictures: it is told only where they are.\n"));
}

export const describe = ({ path, width, height }: FoundImage): string => `${basename(path)} (${width} × ${height})`;
