// Arguments of a program, sorted into options and the rest.

import type { Value } from "../value.ts";

export interface Arguments {
  /** As they were written, without values that stand apart. */
  options: readonly string[];
  /** What followed an option that takes a value: `-o FILE`, `--output=FILE`. */
  given: ReadonlyMap<string, readonly Value[]>;
  rest: readonly Value[];
}

/** `taking` names the options that are followed by a value. */
export function argumentsOf(values: readonly Value[], taking: ReadonlySet<string> = new Set()): Arguments {
  const options: string[] = [];
  const given = new Map<string, Value[]>();
  const rest: Value[] = [];
  const keep = (option: string, value: Value): void => {
    given.set(option, [...(given.get(option) ?? []), value]);
  };
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    const word = value.text ?? "";
    if (word === "--") {
      rest.push(...values.slice(at + 1));
      break;
    }
    if (!/^-./.test(word)) {
      rest.push(value);
      continue;
    }
    options.push(word);
    const [, long, inline] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const last = `-${word.at(-1)}`;
    if (long && inline !== undefined) keep(long, { ...value, text: inline });
    else if (
      taking.has(word) ||
      (/^-\w+$/.test(word) && taking.has(last) && word.indexOf(last[1]!) === word.length - 1)
    ) {
      const next = values[++at];
      if (next) keep(taking.has(word) ? word : last, next);
    } else if (/^-\w./.test(word) && taking.has(word.slice(0, 2)))
      keep(word.slice(0, 2), { ...value, text: word.slice(2) });
  }
  return { options, given, rest };
}

export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

export const has = ({ options }: Arguments, pattern: RegExp): boolean => options.some((option) => pattern.test(option));
