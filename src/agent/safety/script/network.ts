// Addresses: which host is meant, and whether that is another machine.

import { isOnThisMachine } from "../../../machine/index.ts";
import type { Deed } from "../act.ts";
import { gap, outOf, type Value } from "../value.ts";

/** The host of an address or of `host:port`; undefined when it is not known before the code runs. */
export function hostOf(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)/i.exec(written)?.[1];
  const bare = address ?? /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+|localhost)(?=[:/]|$)/.exec(written)?.[1];
  return bare && !bare.includes(gap) ? bare.toLowerCase() : undefined;
}

export const isAddress = (text: string | undefined): boolean =>
  text !== undefined && /^(https?|ftp|wss?|s3|gs):\/\//i.test(text);

const isOwnMachine = (host: string | undefined): boolean => host !== undefined && isOnThisMachine(`http://${host}/`);

export interface Sent {
  sends?: readonly (Value | undefined)[];
  upload?: boolean;
  unchecked?: boolean;
}

/** A request to what an address names; nothing leaves when that is this machine. */
export function request(address: Value | undefined, { sends = [], upload, unchecked = false }: Sent = {}): Deed[] {
  const host = hostOf(address?.text);
  if (isOwnMachine(host)) return [];
  const content = outOf(address, ...sends);
  const file = upload ?? content.from.some(({ type }) => type === "file");
  return [{ type: "request", host, sends: content, upload: file, unchecked }];
}

/** What came back. */
export function answerOf(address: Value | undefined, name: string): Value {
  const host = hostOf(address?.text);
  return { name, from: isOwnMachine(host) ? [] : [{ type: "network", host }] };
}
