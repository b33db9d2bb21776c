// The members of a ZIP archive (workbooks, arrays of numpy), unpacked, by name.

import { inflateRawSync } from "node:zlib";

/** Undefined when it is no archive that can be read. */
export function zipMembers(file: Buffer): Map<string, Buffer> | undefined {
  const end = file.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (file.length < 22 || file.readUInt32LE(0) !== 0x04034b50 || end === -1) return undefined;
  const members = new Map<string, Buffer>();
  try {
    let at = file.readUInt32LE(end + 16);
    for (let count = file.readUInt16LE(end + 10); count > 0; count--) {
      const [method, packed] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20)];
      const [name, extra, comment] = [
        file.readUInt16LE(at + 28),
        file.readUInt16LE(at + 30),
        file.readUInt16LE(at + 32),
      ];
      const local = file.readUInt32LE(at + 42);
      const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
      const body = file.subarray(from, from + packed);
      members.set(file.toString("utf8", at + 46, at + 46 + name), method === 8 ? inflateRawSync(body) : body);
      at += 46 + name + extra + comment;
    }
  } catch {
    return undefined;
  }
  return members;
}
