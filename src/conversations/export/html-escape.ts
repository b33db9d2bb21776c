// What makes text safe inside a page, and the table in a piece of HTML that is nothing but a table.

import type { Table } from "../../messages/index.ts";

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Control characters have no place in a page, and a character that is half of one cannot be written. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "\ufffd")
    .replace(/[&<>"']/g, (sign) => signs[sign]!);

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  "#39": "'",
};

const unescaped = (text: string): string =>
  text.replace(/&(#?\w+);/g, (whole, name: string) => {
    if (entities[name] !== undefined) return entities[name];
    const code = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name);
    const point = code ? Number.parseInt(code[1] ?? code[2]!, code[1] ? 16 : 10) : -1;
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

/** Cells are read out and written anew: nothing else of that HTML comes along. */
export function plainTable(html: unknown): Table | undefined {
  if (typeof html !== "string" || html.length > 1_000_000) return undefined;
  const tables = [...html.matchAll(/<table\b[^>]*>([\s\S]*?)<\/table>/gi)];
  if (tables.length !== 1) return undefined;
  const rows = [...tables[0]![1]!.matchAll(/<tr\b[^>]*>([\s\S]*?)<\/tr>/gi)].map(([, row]) =>
    [...row!.matchAll(/<(t[hd])\b([^>]*)>([\s\S]*?)<\/\1>/gi)].map(([, tag, attributes, inside]) => ({
      tag: tag!.toLowerCase(),
      wide: /\b(col|row)span/i.test(attributes!),
      text: unescaped(inside!.replace(/<[^>]*>/g, "")).trim(),
    })),
  );
  const [head, ...body] = rows;
  // One line of names above lines of the same length; anything else is better shown as text.
  if (!head?.length || body.some((row) => row.length !== head.length) || rows.flat().some(({ wide }) => wide))
    return undefined;
  const numeric = head.map(
    (_, index) => body.length > 0 && body.every((row) => /^-?[\d.,]*(e[+-]?\d+)?%?$/i.test(row[index]!.text)),
  );
  return {
    columns: head.map(({ text }, index) => ({
      name: text,
      numeric: numeric[index]!,
      ...(body.length > 0 && body.every((row) => row[index]!.tag === "th") && { index: true }),
    })),
    rows: body.map((row) => row.map(({ text }) => text)),
    total: body.length,
  };
}
