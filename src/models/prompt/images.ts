// Images for models that see, and words about them for those that do not.

import { readFileSync } from "node:fs";
import type { LanguageModelV4FilePart } from "@ai-sdk/provider";
import type { Message } from "../../messages/index.ts";

const types: Record<string, string> = { png: "png", jpg: "jpeg", jpeg: "jpeg", gif: "gif", webp: "webp", bmp: "bmp" };

export type Picture = { part: LanguageModelV4FilePart; caption?: string } | { note: string };

export function toPicture(message: Message, vision: boolean): Picture {
  const path = message.format === "path" ? message.content : undefined;
  const name = path === undefined ? "an image" : `the image ${path}`;
  if (!vision) return { note: `[${name}, which this model cannot see]` };
  const data = path === undefined ? message.content.replace(/^data:[^,]*,/, "") : read(path);
  if (!data) return { note: `[${name}, which could not be read]` };
  const part: LanguageModelV4FilePart = {
    type: "file",
    mediaType: mediaType(message, data),
    data: { type: "data", data },
  };
  return path === undefined ? { part } : { part, caption: `[attached image: ${path}]` };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path).toString("base64");
  } catch {
    return undefined;
  }
}

/** The first bytes say what an image is; its name is only a guess. */
function mediaType(message: Message, data: string): string {
  if (data.startsWith("iVBOR")) return "image/png";
  if (data.startsWith("/9j/")) return "image/jpeg";
  if (data.startsWith("R0lGOD")) return "image/gif";
  if (data.startsWith("UklGR")) return "image/webp";
  const extension = (message.format === "path" ? message.content : (message.format ?? ""))
    .split(".")
    .at(-1)!
    .toLowerCase();
  return `image/${types[extension] ?? "png"}`;
}
