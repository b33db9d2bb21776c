// Heads of GGUF files, written by hand: what the format allows, and what it does not.

type Value = string | number | string[] | number[];

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

function typed(value: Value): Buffer {
  if (typeof value === "string") return Buffer.concat([u32(8), text(value)]);
  if (typeof value === "number") return Buffer.concat([u32(4), u32(value)]);
  const strings = typeof value[0] === "string";
  const items = value.map((item) => (strings ? text(String(item)) : u32(Number(item))));
  return Buffer.concat([u32(9), u32(strings ? 8 : 4), u64(value.length), ...items]);
}

/** The beginning of a GGUF file that says these things, and nothing behind it. */
export function ggufHead(values: Record<string, Value>, version = 3): Buffer {
  const pairs = Object.entries(values).flatMap(([key, value]) => [text(key), typed(value)]);
  return Buffer.concat([Buffer.from("GGUF"), u32(version), u64(0), u64(Object.keys(values).length), ...pairs]);
}

/** What a small model says of itself. */
export const smallModel: Record<string, Value> = {
  "general.architecture": "llama",
  "general.name": "Tiny",
  "tokenizer.ggml.tokens": Array.from({ length: 2_000 }, (_, index) => `token ${index}`),
  "tokenizer.ggml.scores": Array.from({ length: 2_000 }, (_, index) => index),
  "llama.context_length": 4_096,
  "llama.block_count": 4,
  "llama.embedding_length": 256,
  "llama.attention.head_count": 8,
  "llama.attention.head_count_kv": 2,
};
