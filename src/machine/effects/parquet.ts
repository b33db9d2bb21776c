// How many rows and columns a Parquet file has: its last bytes say so, in Thrift's compact protocol.

import { readSync } from "node:fs";

/** The numbers of the types of fields, as the protocol has them. */
const types = {
  yes: 1,
  no: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
};

/** A description of more columns than this is not read. */
const longest = 1 << 20;

/** Nothing when it is not said, or not where it should be. */
export function parquetShape(file: number, size: number): { rows?: number; columns?: number } {
  if (size < 12) return {};
  const end = Buffer.alloc(8);
  readSync(file, end, 0, 8, size - 8);
  const length = end.readUInt32LE(0);
  if (end.toString("latin1", 4) !== "PAR1" || length > longest || length > size - 12) return {};
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, size - 8 - length);
  try {
    return readShape(new Reader(bytes));
  } catch {
    return {};
  }
}

/** The second field is the list of columns and groups of columns, the third the number of rows. */
function readShape(reader: Reader): { rows?: number; columns?: number } {
  let columns: number | undefined;
  for (const { id, type } of reader.fields()) {
    if (id === 2) columns = readColumns(reader);
    else if (id === 3) return { rows: reader.zigzag(), ...(columns !== undefined && { columns }) };
    else reader.skip(type);
  }
  return {};
}

/** The first is the table itself; a column has nothing below it. */
function readColumns(reader: Reader): number {
  const { count } = reader.list();
  let columns = 0;
  for (let index = 0; index < count; index++) {
    let below = 0;
    for (const { id, type } of reader.fields()) {
      if (id === 5) below = reader.zigzag();
      else reader.skip(type);
    }
    if (index > 0 && below === 0) columns++;
  }
  return columns;
}

class Reader {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Of a struct, until it ends; whoever takes one reads or skips its value. */
  *fields(): Generator<{ id: number; type: number }> {
    let id = 0;
    for (;;) {
      const head = this.#byte();
      if (head === 0) return;
      const type = head & 15;
      id = head >> 4 === 0 ? this.zigzag() : id + (head >> 4);
      yield { id, type };
    }
  }

  list(): { count: number; type: number } {
    const head = this.#byte();
    return { count: head >> 4 === 15 ? this.#number() : head >> 4, type: head & 15 };
  }

  zigzag(): number {
    const number = this.#number();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  skip(type: number): void {
    if (type === types.yes || type === types.no) return;
    if (type === types.byte) this.#at++;
    else if (type === types.i16 || type === types.i32 || type === types.i64) this.#number();
    else if (type === types.double) this.#at += 8;
    else if (type === types.binary) {
      const length = this.#number();
      this.#at += length;
    } else if (type === types.struct) for (const field of this.fields()) this.skip(field.type);
    else if (type === types.list || type === types.set) {
      const { count, type: inner } = this.list();
      // In a list, true and false take a byte each.
      for (let index = 0; index < count; index++) this.skip(inner <= types.no ? types.byte : inner);
    } else throw new Error("not what was expected");
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Error("it ends too early");
    return byte;
  }

  /** Seven bits a byte, the lowest first. */
  #number(): number {
    let [number, factor] = [0, 1];
    for (;;) {
      const byte = this.#byte();
      number += (byte & 127) * factor;
      if (byte < 128) return number;
      factor *= 128;
    }
  }
}
