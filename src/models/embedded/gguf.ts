// Reads the head of a GGUF file: what kind of model it holds and how much of a conversation it was trained to read.
// The weights behind the head are not touched, so it costs milliseconds whatever the size of the file.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface Gguf {
  /** Of the whole file. */
  bytes: number;
  /** For people, as its maker called it; empty when it does not say. */
  name: string;
  architecture: string;
  /** Tokens it was trained to read at once; absent when it does not say. */
  contextLength?: number;
  /** Memory that each token of a conversation takes while it runs; 0 when that is not known. */
  bytesPerToken: number;
}

/** Not a GGUF file, or one that breaks off. */
export class GgufError extends Error {
  override name = "GgufError";
  readonly why: "not-gguf" | "damaged";

  constructor(why: "not-gguf" | "damaged") {
    super(why === "not-gguf" ? "This is not a GGUF file." : "The GGUF file is damaged or incomplete.");
    this.why = why;
  }
}

type Value = string | number | boolean | undefined;

/** Throws GgufError, or what the file system says. */
export function readGguf(path: string): Gguf {
  const file = openSync(path, "r");
  try {
    const reader = createReader(file);
    if (reader.text(4) !== "GGUF") throw new GgufError("not-gguf");
    const version = reader.number(4);
    if (version < 2 || version > 1_000) throw new GgufError("damaged");
    reader.number(8);
    const pairs = reader.number(8);
    const values = new Map<string, Value>();
    for (let index = 0; index < pairs; index++) {
      const key = readString(reader);
      const value = readValue(reader, reader.number(4));
      if (value !== undefined) values.set(key, value);
    }
    return describe(values, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function describe(values: Map<string, Value>, bytes: number): Gguf {
  const architecture = String(values.get("general.architecture") ?? "");
  const number = (key: string): number => Number(values.get(`${architecture}.${key}`) ?? 0);
  const heads = number("attention.head_count");
  const headLength = heads > 0 ? number("embedding_length") / heads : 0;
  const keys = number("attention.key_length") || headLength;
  const vectors = number("attention.value_length") || headLength;
  const contextLength = number("context_length");
  return {
    bytes,
    name: String(values.get("general.name") ?? ""),
    architecture,
    ...(contextLength > 0 && { contextLength }),
    // Two bytes for each number of every layer's keys and values.
    bytesPerToken: 2 * number("block_count") * (number("attention.head_count_kv") || heads) * (keys + vectors),
  };
}

/** Bytes of each kind of value, by the number GGUF gives it; text and lists are none of these. */
const sizes: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const text = 8;
const list = 9;

/** Lists are passed over, but for their largest number: some models say for each layer how many heads it has. */
function readValue(reader: Reader, kind: number): Value {
  if (kind === text) return readString(reader);
  if (kind === list) return readList(reader);
  const size = sizes[kind];
  if (size === undefined) throw new GgufError("damaged");
  return kind === 6 || kind === 12 ? reader.skip(size) : reader.number(size);
}

function readList(reader: Reader): Value {
  const kind = reader.number(4);
  const length = reader.number(8);
  if (kind === text) {
    for (let index = 0; index < length; index++) reader.skip(reader.number(8));
    return undefined;
  }
  const size = sizes[kind];
  if (size === undefined) throw new GgufError("damaged");
  if (size !== 4 || kind === 6 || length > 4_096) return reader.skip(size * length);
  let largest = 0;
  for (let index = 0; index < length; index++) largest = Math.max(largest, reader.number(4));
  return largest;
}

/** Longer than any text that belongs in a head. */
const longestText = 16 * 1024 * 1024;

function readString(reader: Reader): string {
  const length = reader.number(8);
  if (length > longestText) throw new GgufError("damaged");
  return reader.text(length);
}

interface Reader {
  text(bytes: number): string;
  /** A whole number, lowest byte first. */
  number(bytes: number): number;
  skip(bytes: number): undefined;
}

function createReader(file: number): Reader {
  const { size } = fstatSync(file);
  let buffer = Buffer.alloc(0);
  /** Where in the file the buffer begins, and how much of it is read. */
  let start = 0;
  let used = 0;

  function take(bytes: number): Buffer {
    if (used + bytes > buffer.length) {
      start += used;
      used = 0;
      if (start + bytes > size) throw new GgufError("damaged");
      const next = Buffer.alloc(Math.max(bytes, 1024 * 1024));
      buffer = next.subarray(0, readSync(file, next, 0, next.length, start));
      if (buffer.length < bytes) throw new GgufError("damaged");
    }
    used += bytes;
    return buffer.subarray(used - bytes, used);
  }

  return {
    text: (bytes) => take(bytes).toString("utf8"),
    number(bytes) {
      const piece = take(bytes);
      return bytes === 8 ? Number(piece.readBigUInt64LE()) : piece.readUIntLE(0, bytes);
    },
    skip(bytes) {
      if (used + bytes <= buffer.length) used += bytes;
      else {
        start += used + bytes;
        used = 0;
        buffer = Buffer.alloc(0);
        if (start > size) throw new GgufError("damaged");
      }
      return undefined;
    },
  };
}
