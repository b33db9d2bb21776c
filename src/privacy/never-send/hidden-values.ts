// The values that must not be sent, so that they are found again in any text, and what is said about their columns instead.

/** So many different values are remembered, all columns together. */
const mostValues = 200_000;
/** Shorter ones are in every text by chance. */
const shortest = 4;

/** Words that say nothing about anybody. */
const common = /^(?:true|false|null|none|nan|yes|no|n\/a|unknown|other|na)$/i;

interface Column {
  name: string;
  values: number;
  missing: number;
  numbers: number;
  different: Set<string>;
  /** There are more different values than are remembered. */
  more: boolean;
}

export interface Hidden {
  text: string;
  /** The columns of the values that were found. */
  columns: readonly string[];
}

export class HiddenValues {
  /** Each value, and the column it was first seen in. */
  readonly #known = new Map<string, string>();
  /** By the first letters of values, how long those are that begin so: the longest first. */
  readonly #lengths = new Map<string, number[]>();
  readonly #columns = new Map<string, Column>();
  /** Changes with what is known. */
  version = 0;

  /** Begins to count the columns of a file anew; their values stay known. */
  begin(file: string): void {
    this.version++;
    for (const key of this.#columns.keys()) if (key.startsWith(`${file}\0`)) this.#columns.delete(key);
  }

  add(file: string, name: string, value: string): void {
    const key = `${file}\0${name}`;
    let column = this.#columns.get(key);
    if (!column) {
      column = { name: name || file, values: 0, missing: 0, numbers: 0, different: new Set(), more: false };
      this.#columns.set(key, column);
    }
    if (value === "" || /^(?:nan|null|none|na|n\/a)$/i.test(value)) {
      column.missing++;
      return;
    }
    column.values++;
    if (value.trim() !== "" && !Number.isNaN(Number(value))) column.numbers++;
    if (column.different.size < mostValues) column.different.add(value);
    else if (!column.different.has(value)) column.more = true;
    for (const form of formsOf(value)) this.#remember(form, key);
  }

  #remember(value: string, column: string): void {
    if (value.length < shortest || this.#known.size >= mostValues || this.#known.has(value) || common.test(value))
      return;
    this.#known.set(value, column);
    const head = value.slice(0, shortest);
    const lengths = this.#lengths.get(head);
    if (!lengths) this.#lengths.set(head, [value.length]);
    else if (!lengths.includes(value.length)) {
      lengths.push(value.length);
      lengths.sort((one, other) => other - one);
    }
  }

  get empty(): boolean {
    return this.#known.size === 0;
  }

  /** Whether not all values could be remembered. */
  get full(): boolean {
    return this.#known.size >= mostValues;
  }

  /** The text with ‹hidden› where a value stands by itself. */
  hide(text: string): Hidden {
    const columns = new Set<string>();
    let made = "";
    let from = 0;
    for (let at = 0; at + shortest <= text.length; ) {
      const found = isInner(text, at) ? undefined : this.#at(text, at);
      if (!found) {
        at++;
        continue;
      }
      made += `${text.slice(from, at)}‹hidden›`;
      at += found.length;
      from = at;
      columns.add(found.column);
    }
    return from === 0 ? { text, columns: [] } : { text: made + text.slice(from), columns: [...columns] };
  }

  #at(text: string, at: number): { length: number; column: string } | undefined {
    for (const length of this.#lengths.get(text.slice(at, at + shortest)) ?? []) {
      const column = this.#known.get(text.slice(at, at + length));
      if (column !== undefined && at + length <= text.length && !isInner(text, at + length)) return { length, column };
    }
    return undefined;
  }

  /** ‹email: text, 1 204 values, 1 198 different› */
  describe(key: string): string {
    const column = this.#columns.get(key);
    if (!column) return "";
    const { name, values, missing, numbers, different, more } = column;
    const kind = values > 0 && numbers === values ? "numbers" : "text";
    const parts = [
      `${name}: ${kind}`,
      counted(values, "value"),
      `${more ? "more than " : ""}${grouped(different.size)} different`,
      ...(missing > 0 ? [`${grouped(missing)} missing`] : []),
    ];
    return `‹${parts.join(", ")}›`;
  }
}

/** A number may be printed otherwise than it was written. */
function formsOf(value: string): string[] {
  const plain = /^[-+]?\d[\d.,]*$/.test(value) ? String(Number(value)) : value;
  return plain === value || plain === "NaN" ? [value] : [value, plain];
}

const letter = /[\p{L}\p{N}]/u;

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80)
    return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
  return letter.test(text[at] ?? "");
}

/** Whether the place is in the middle of a word or a number. */
const isInner = (text: string, at: number): boolean => isWord(text, at) && isWord(text, at - 1);

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, " ");
const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
