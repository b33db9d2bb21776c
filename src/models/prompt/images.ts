// Images for models that see, and words about them for those that do not.

import { readFile } from "node:fs/promises";
import type { LanguageModelV4FilePart } from "@ai-sdk/provider";
import type { Message } from "../../messages/index.ts";
import type { Prepared } from "../../pictures/index.ts";
import type { PictureLimits } from "./picture-limits.ts";
import { isImage } from "./steps.ts";

export type Picture = { part: LanguageModelV4FilePart; caption?: string } | { note: string };

/** What the model is shown for an image. */
export type Show = (message: Message) => Picture;

export const cannotSee: Show = (message) => ({ note: `[${nameOf(message)}, which this model cannot see]` });

/** Gets every image of a conversation ready. The same conversation is shown the same way each time. */
export async function showTo(messages: readonly Message[], limits: PictureLimits): Promise<Show> {
  const images = messages.filter((message) => isImage(message) && message.recipient !== "user");
  const ready = new Map<Message, Prepared>();
  for (const message of images) ready.set(message, await prepare(message, limits));
  const older = new Set(images.slice(0, leftOut([...ready.values()], limits)));
  const kept = limits.count - jumpOf(limits);
  return (message) => {
    if (older.has(message)) return { note: `[${nameOf(message)}, left out: older than the last ${kept}]` };
    return toPicture(message, ready.get(message) ?? { problem: "could not be read" });
  };
}

/**
 * How many of the oldest do not fit. They go in jumps of half of what fits, so that what the provider has cached stays as it is
 * for a while.
 */
function leftOut(images: readonly Prepared[], limits: PictureLimits): number {
  const { count, total } = limits;
  const jump = jumpOf(limits);
  const sizes = images.map((image) => ("base64" in image ? image.base64.length : 0));
  let left = 0;
  const fits = (): boolean =>
    images.length - left <= count && sizes.slice(left).reduce((sum, size) => sum + size, 0) <= total;
  // Never the last one: that is what the person has just shown.
  while (!fits() && left < images.length - 1) left = Math.min(left + jump, images.length - 1);
  return left;
}

const jumpOf = ({ count }: PictureLimits): number => Math.max(1, Math.floor(count / 2));

function toPicture(message: Message, prepared: Prepared): Picture {
  if ("problem" in prepared) return { note: `[${nameOf(message)}, which ${prepared.problem}]` };
  const part: LanguageModelV4FilePart = {
    type: "file",
    mediaType: prepared.mediaType,
    data: { type: "data", data: prepared.base64 },
  };
  return message.format === "path" ? { part, caption: `[attached image: ${message.content}]` } : { part };
}

const nameOf = ({ format, content }: Message): string => (format === "path" ? `the image ${content}` : "an image");

/** A file is read when it is first sent: what becomes of it later does not change what the model has seen. */
const prepared = new WeakMap<Message, { edge: number; picture: Promise<Prepared> }>();

function prepare(message: Message, limits: PictureLimits): Promise<Prepared> {
  const known = prepared.get(message);
  if (known?.edge === limits.edge) return known.picture;
  const picture = read(message, limits);
  prepared.set(message, { edge: limits.edge, picture });
  return picture;
}

async function read({ format, content }: Message, limits: PictureLimits): Promise<Prepared> {
  const { preparePicture } = await import("../../pictures/index.ts");
  try {
    const file =
      format === "path" ? await readFile(content) : Buffer.from(content.replace(/^data:[^,]*,/, ""), "base64");
    return await preparePicture(file, limits);
  } catch {
    return { problem: "could not be read" };
  }
}
