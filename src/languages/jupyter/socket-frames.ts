// Messages on a Jupyter server's WebSocket, in the protocol every server speaks: JSON text, or binary where a message has
// buffers (numbers of arrays for widgets), which are of no use here.

import { asMessage, type KernelMessage } from "./message.ts";

export function toSocketFrame(message: KernelMessage): string {
  return JSON.stringify({ ...message, buffers: [] });
}

export function fromSocketFrame(data: string | ArrayBuffer): KernelMessage | undefined {
  try {
    const value = JSON.parse(typeof data === "string" ? data : firstPart(data));
    return asMessage(value.channel, value);
  } catch {
    return undefined;
  }
}

/** A count, as many offsets, then the parts; the first is the message. */
function firstPart(data: ArrayBuffer): string {
  const view = new DataView(data);
  const count = view.getUint32(0);
  const start = view.getUint32(4);
  const end = count > 1 ? view.getUint32(8) : data.byteLength;
  return new TextDecoder().decode(data.slice(start, end));
}
