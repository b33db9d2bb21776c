// Messages and chunks without the secrets in them. Pictures stay as they are, and so does what a provider has sealed.

import type { Chunk, Message, MimeBundle } from "../../messages/index.ts";
import type { Mask } from "./secrets.ts";

export const isPicture = ({ type, format }: Pick<Chunk, "type" | "format">): boolean =>
  type === "image" && format !== "description";

/** The message itself where there is nothing to mask. */
export function maskMessage(message: Message, { mask }: Pick<Mask, "mask">): Message {
  if (isPicture(message)) return message;
  const content = mask(message.content);
  const bundle = message.bundle && maskBundle(message.bundle, mask);
  if (content === message.content && bundle === message.bundle) return message;
  return { ...message, content, ...(bundle && { bundle }) };
}

export function maskBundle(bundle: MimeBundle, mask: Mask["mask"]): MimeBundle {
  return maskValue(bundle, mask, 0) as MimeBundle;
}

/** The value itself where there is nothing to mask in it. */
function maskValue(value: unknown, mask: Mask["mask"], depth: number): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null || depth > 20) return value;
  if (Array.isArray(value)) {
    const made = value.map((each) => maskValue(each, mask, depth + 1));
    return made.some((each, index) => each !== value[index]) ? made : value;
  }
  const entries = Object.entries(value);
  const made = entries.map(([name, each]) => [name, isBinary(name) ? each : maskValue(each, mask, depth + 1)] as const);
  return made.some(([, each], index) => each !== entries[index]![1]) ? Object.fromEntries(made) : value;
}

const isBinary = (mime: string): boolean => /^(?:image\/(?!svg)|audio\/|video\/|application\/pdf)/.test(mime);
