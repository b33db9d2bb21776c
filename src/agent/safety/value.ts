// What is known about a value before the code runs: its text, what it is called, and where it comes from.

/** Stands in a text for a part that is known only when the code runs. */
export const gap = "\ufffc";

/**
 * Where a value comes from, as far as it matters here.
 * `pieces`: put together from constants; `decoded`: out of an encoding; `listing`: names that a pattern or a folder gave.
 */
export type Source =
  | { type: "file"; path: string }
  | { type: "variable"; name: string }
  | { type: "network"; host: string | undefined }
  | { type: "environment" | "decoded" | "pieces" | "listing" };

export interface Value {
  /** With a gap for every part that is not known. */
  text?: string;
  /** What it is in the language's own words: `os.system`, `socket.socket()`. */
  name?: string;
  number?: number;
  items?: readonly Value[];
  fields?: ReadonlyMap<string, Value>;
  from: readonly Source[];
  /** For a method that was taken from it: what it belongs to. */
  receiver?: Value;
  /** A function of the block itself. */
  made?: unknown;
  /** Its name is not written where it is used, but put together. */
  hidden?: boolean;
}

export const nothing: Value = { from: [] };
export const textValue = (text: string): Value => ({ text, from: [] });
export const isKnown = (text: string | undefined): text is string => text !== undefined && !text.includes(gap);

export const comesFrom = (value: Value | undefined, type: Source["type"]): boolean =>
  value?.from.some((source) => source.type === type) ?? false;

/** Everything that went into these, each once. */
export function sourcesOf(...values: readonly (Value | undefined)[]): readonly Source[] {
  const found = new Map<string, Source>();
  const visit = (value: Value | undefined, depth: number): void => {
    if (!value || depth > 6) return;
    for (const source of value.from) found.set(JSON.stringify(source), source);
    for (const item of value.items ?? []) visit(item, depth + 1);
    for (const field of value.fields?.values() ?? []) visit(field, depth + 1);
  };
  for (const value of values) visit(value, 0);
  return [...found.values()];
}

const longestText = 200_000;
const mostItems = 10_000;

/** One text out of several; what has none leaves a gap. */
export function joined(parts: readonly Value[], between = ""): Value {
  if (parts.some(({ items }) => items)) {
    const items = parts.flatMap((part) => part.items ?? [part]);
    return items.length > mostItems ? outOf(...parts) : { items, from: [] };
  }
  const text = parts.map((part) => part.text ?? (part.number === undefined ? gap : String(part.number))).join(between);
  if (text.length > longestText) return { text: gap, from: sourcesOf(...parts) };
  const constants = parts.filter(({ text, from }) => text !== undefined && from.length === 0).length;
  const from = sourcesOf(...parts);
  const pieces = constants > 1 && constants === parts.length;
  return { text, from: pieces ? [...from, { type: "pieces" }] : from };
}

/** Whether somebody went out of their way so that this text is not read. */
export const isDisguised = (value: Value): boolean => comesFrom(value, "pieces") || comesFrom(value, "decoded");

/** A value of which only the origin is known. */
export const outOf = (...values: readonly (Value | undefined)[]): Value => ({ from: sourcesOf(...values) });

export const withSource = (value: Value, ...sources: readonly Source[]): Value => ({
  ...value,
  from: [...value.from, ...sources],
});
