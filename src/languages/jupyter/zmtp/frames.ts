// Frames of ZMTP 3: a byte of flags, a length of one or eight bytes, and the body. Several frames make a message.

export interface Frame {
  /** More frames of the same message follow. */
  more: boolean;
  /** A command of the protocol itself, not part of a message. */
  command: boolean;
  body: Buffer;
}

const moreFlag = 1;
const longFlag = 2;
const commandFlag = 4;
const longest = 1 << 30;

export function encodeFrame({ more, command, body }: Frame): Buffer {
  const flags = (more ? moreFlag : 0) | (command ? commandFlag : 0);
  if (body.length < 256) return Buffer.concat([Buffer.of(flags, body.length), body]);
  const head = Buffer.alloc(9);
  head[0] = flags | longFlag;
  head.writeBigUInt64BE(BigInt(body.length), 1);
  return Buffer.concat([head, body]);
}

export function encodeMessage(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(
    parts.map((body, index) => encodeFrame({ more: index < parts.length - 1, command: false, body })),
  );
}

/** Gives out bytes in the portions that are asked for, however they arrive. */
export class ByteReader {
  #chunks: Buffer[] = [];
  #size = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** The first bytes, left where they are; undefined while there are not that many. */
  peek(size: number): Buffer | undefined {
    if (this.#size < size) return undefined;
    if ((this.#chunks[0]?.length ?? 0) < size) this.#chunks = [Buffer.concat(this.#chunks)];
    return (this.#chunks[0] ?? Buffer.alloc(0)).subarray(0, size);
  }

  take(size: number): Buffer | undefined {
    const bytes = this.peek(size);
    if (!bytes || size === 0) return bytes;
    this.#chunks[0] = this.#chunks[0]!.subarray(size);
    if (this.#chunks[0].length === 0) this.#chunks.shift();
    this.#size -= size;
    return bytes;
  }
}

/** The next whole frame, or undefined until it is there. Throws when what arrives cannot be a frame. */
export function readFrame(bytes: ByteReader): Frame | undefined {
  const start = bytes.peek(2);
  if (!start) return undefined;
  const flags = start[0]!;
  if (flags > (moreFlag | longFlag | commandFlag)) throw new Error("not a ZMTP frame");
  const headSize = flags & longFlag ? 9 : 2;
  const head = bytes.peek(headSize);
  if (!head) return undefined;
  const size = flags & longFlag ? Number(head.readBigUInt64BE(1)) : head[1]!;
  if (size > longest) throw new Error(`a ZMTP frame of ${size} bytes is too large`);
  const whole = bytes.take(headSize + size);
  if (!whole) return undefined;
  return { more: (flags & moreFlag) !== 0, command: (flags & commandFlag) !== 0, body: whole.subarray(headSize) };
}
