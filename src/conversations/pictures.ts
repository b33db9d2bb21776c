// Pictures beside the log: the log names the file, so that it stays small and can be searched; the message reads it when
// somebody wants to see it.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Message, newId } from "../messages/index.ts";

/** Shorter ones stay in the log. */
const shortest = 2_000;

/** The name of a new file with the picture; undefined when it is none, or would come back in other words. */
export function savePicture(folder: string, type: string, format: string | undefined, content: string) {
  if (type !== "image" || !format?.startsWith("base64") || content.length < shortest) return undefined;
  const bytes = Buffer.from(content, "base64");
  if (bytes.toString("base64") !== content) return undefined;
  const name = `picture-${newId(12)}.${format === "base64.jpeg" ? "jpg" : "png"}`;
  const path = join(folder, name);
  try {
    writeFileSync(`${path}.part`, bytes, { mode: 0o600, flag: "wx" });
    renameSync(`${path}.part`, path);
  } catch (error) {
    rmSync(`${path}.part`, { force: true });
    throw error;
  }
  return name;
}

/** The message with its picture, which is read each time somebody looks; a sentence in its place when the file is gone. */
export function withPicture(folder: string, message: Message, picture: string): { message: Message; problem?: string } {
  const path = join(folder, basename(picture));
  if (!existsSync(path)) {
    const problem = `The picture ${path} is gone.`;
    return { message: { ...message, format: "description", content: `(${problem})` }, problem };
  }
  Object.defineProperty(message, "content", { enumerable: true, get: () => readPicture(path) });
  files.set(message, path);
  return { message };
}

const files = new WeakMap<Message, string>();

/** The file that a message reads its picture from, and the message without it: for a copy that needs no reading. */
export function pictureOf(message: Message): { path: string; rest: Message } | undefined {
  const path = files.get(message);
  if (path === undefined) return undefined;
  const names = (Object.keys(message) as (keyof Message)[]).filter((name) => name !== "content");
  return { path, rest: Object.fromEntries([...names.map((name) => [name, message[name]]), ["content", ""]]) as never };
}

export function readPicture(path: string): string {
  try {
    return readFileSync(path).toString("base64");
  } catch {
    return "";
  }
}
