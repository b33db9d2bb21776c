// The files that a turn made or changed, as a small table. The number before each is the one that /open takes.

import type { Deliverable, Deliverables } from "../interpreter/index.ts";
import { bytes } from "../machine/index.ts";
import { fileLink, type ShownFiles } from "./pictures/index.ts";
import { sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { clip, clipStart, widthOf } from "./text/width.ts";

export interface TableOptions {
  columns: number;
  style: Style;
  files: ShownFiles;
  /** Whether names may be links. */
  live: boolean;
  env: NodeJS.ProcessEnv;
}

const mostRows = 10;
/** When there are more, their first lines have no row of their own. */
const fewRows = 5;

export function* deliverablesTable({ files: all, more, unwatched }: Deliverables, options: TableOptions) {
  const { style, columns } = options;
  const shown = all.slice(0, mostRows);
  const width = columns - 1;
  const rows = shown.map((file) => ({ file, name: oneLine(file.name), facts: factsOf(file, shown.length > fewRows) }));
  const numbers = rows.map(({ file }) => (file.change === "deleted" ? "" : String(options.files.add(file.path))));
  const digits = Math.max(...numbers.map(({ length }) => length));
  const longest = Math.max(...rows.map(({ facts }) => widthOf(facts)));
  const nameWidth = Math.max(
    12,
    Math.min(Math.max(...rows.map(({ name }) => widthOf(name))), width - digits - 4 - Math.min(longest, 48)),
  );
  yield style.dim("files:\n");
  for (const [index, { file, name, facts }] of rows.entries()) {
    const label = clipStart(name, nameWidth);
    const number = numbers[index]!.padStart(digits);
    const link = options.live && label === name ? fileLink(file.path, options.env, label) : label;
    const gap = " ".repeat(Math.max(0, nameWidth - widthOf(label)));
    const room = width - digits - 3 - nameWidth;
    yield `${style.cyan(number)} ${link}${gap}  ${style.dim(clip(facts, room))}\n`;
    if (file.preview && shown.length <= fewRows)
      yield `${" ".repeat(digits + 3)}${style.dim(clip(oneLine(file.preview), width - digits - 3))}\n`;
    if (file.warning) yield `${style.yellow("!")} ${sanitize(file.warning)}\n`;
  }
  const left = all.length - shown.length + more;
  if (left > 0) yield style.dim(`… and ${left} more\n`);
  if (unwatched) yield style.dim(`${unwatched}\n`);
}

function factsOf({ change, size, kind, block, language, preview }: Deliverable, withPreview: boolean): string {
  const what = change === "deleted" ? [change] : [change, bytes(size), ...(kind ? [sanitize(kind)] : [])];
  const begins = withPreview && preview ? [oneLine(preview)] : [];
  return [...what, `block ${block}, ${sanitize(language)}`, ...begins].join(" · ");
}

const oneLine = (text: string): string => sanitize(text).replace(/\s+/g, " ");
