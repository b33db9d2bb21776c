// The table of `interpreter config`: each setting with its value and where it comes from. Nothing of a secret is shown.

import { type Loaded, type Option, originText, sizeText } from "../settings/index.ts";
import { sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { clip, widthOf } from "./text/width.ts";

export interface ConfigRow {
  name: string;
  /** As it may be shown. */
  value: unknown;
  origin: Loaded["origins"][string];
}

/** Those that have a value, in the order of the table of options. */
export function configRows({ settings, origins }: Loaded, settable: readonly Option[]): ConfigRow[] {
  const chosen = settings as Readonly<Record<string, unknown>>;
  const rows = settable.flatMap((option): ConfigRow[] => {
    const value = chosen[option.name];
    if (value === undefined) return [];
    return [{ name: option.flag, value: showable(option, value), origin: origins[option.name]! }];
  });
  const { customLanguages } = settings;
  if (!customLanguages) return rows;
  return [
    ...rows,
    { name: "languages", value: customLanguages.map(({ name }) => name), origin: origins.customLanguages! },
  ];
}

/** Addresses may have a key in them, too; a size has its unit. */
export function showable({ secret, name, kind }: Option, value: unknown): unknown {
  if (secret) return "(not shown)";
  if (kind === "size") return sizeText(value as number);
  if (typeof value !== "string" || !/^(machine|apiBase)$/.test(name)) return value;
  return value.replace(/\/\/[^/@\s]+@/, "//…@").replace(/([?&](?:token|key|api_key)=)[^&\s]+/gi, "$1…");
}

export function* configTable(rows: readonly ConfigRow[], columns: number, style: Style): Generator<string> {
  const shown = rows.map(({ name, value, origin }) => ({ name, value: inOneLine(value), origin: originText(origin) }));
  const width = (texts: string[]) => Math.max(...texts.map(widthOf));
  const first = width(shown.map(({ name }) => name));
  const second = Math.min(width(shown.map(({ value }) => value)), Math.max(20, columns - first - 36));
  for (const { name, value, origin } of shown) {
    const cut = clip(value, second);
    const gap = " ".repeat(second - widthOf(cut));
    yield `${name.padEnd(first)}  ${cut}${gap}  ${style.dim(origin)}\n`;
  }
}

export const inOneLine = (value: unknown): string =>
  sanitize(typeof value === "string" ? value : JSON.stringify(value)).replace(/\s+/g, " ");
