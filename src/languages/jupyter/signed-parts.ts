// A Jupyter message as the parts of a ZeroMQ message, signed so that nobody else on this computer can give the kernel
// orders or answer in its name.

import { createHmac, timingSafeEqual } from "node:crypto";
import { asMessage, type Channel, type KernelMessage } from "./message.ts";

const delimiter = Buffer.from("<IDS|MSG>");

export function toParts(message: KernelMessage, key: string): Buffer[] {
  const body = [message.header, message.parent_header, message.metadata, message.content].map((part) =>
    Buffer.from(JSON.stringify(part)),
  );
  return [delimiter, Buffer.from(sign(body, key)), ...body];
}

/** Undefined for what is no message or not signed with our key. */
export function fromParts(channel: Channel, parts: readonly Buffer[], key: string): KernelMessage | undefined {
  const at = parts.findIndex((part) => part.equals(delimiter));
  const signature = parts[at + 1];
  const body = parts.slice(at + 2, at + 6);
  if (at === -1 || !signature || body.length < 4) return undefined;
  const expected = Buffer.from(sign(body, key));
  if (expected.length !== signature.length || !timingSafeEqual(expected, signature)) return undefined;
  try {
    const [header, parent_header, metadata, content] = body.map((part) => JSON.parse(part.toString("utf8")));
    return asMessage(channel, { header, parent_header, metadata, content });
  } catch {
    return undefined;
  }
}

function sign(body: readonly Buffer[], key: string): string {
  const hmac = createHmac("sha256", key);
  for (const part of body) hmac.update(part);
  return hmac.digest("hex");
}
