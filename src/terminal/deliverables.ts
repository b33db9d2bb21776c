// The files that a turn made or changed, as a small table. The number before each is the one that /open takes.

import type { Deliverable, Deliverables } from "../interpreter/index.ts";
import { bytes, countsText, plural } from "../machine/index.ts";
import { fileLink, type ShownFiles } from "./pictures/index.ts";
import { sanitize } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { foldWords } from "./text/fold-words.ts";
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

export function* deliverablesTable({ files, more, counts, unwatched }: Deliverables, options: TableOptions) {
  const { style, columns } = options;
  const all = more === 0 ? byFolder(files) : files;
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
  yield style.dim(`${foldWords(countsText(counts), width)}\n`);
  for (const [index, { file, name, facts }] of rows.entries()) {
    const label = clipStart(name, nameWidth);
    const number = numbers[index]!.padStart(digits);
    const link = options.live && label === name ? fileLink(file.path, options.env, label) : label;
    const gap = " ".repeat(Math.max(0, nameWidth - widthOf(label)));
    const room = width - digits - 3 - nameWidth;
    yield `${style.cyan(number)} ${link}${gap}  ${style.dim(clip(facts, room))}\n`;
    if (file.preview && shown.length <= fewRows)
      yield `${" ".repeat(digits + 3)}${style.dim(clip(oneLine(file.preview), width - digits - 3))}\n`;
    if (file.warning) yield foldWords(`${style.yellow("!")} ${sanitize(file.warning)}\n`, width, 2);
  }
  const left = all.length - shown.length + more;
  if (left > 0) yield style.dim(`… and ${left} more\n`);
  if (unwatched) yield style.dim(`${foldWords(unwatched, width)}\n`);
}

/** Where there are more than can be shown, those that are new in one folder become one row, as many as it takes. */
function byFolder(files: readonly Deliverable[]): readonly Deliverable[] {
  const rows = [...files];
  const folders = new Map<string, Deliverable[]>();
  for (const file of files) {
    const folder = /^(?:[^/\\]+)[/\\]/.exec(file.name)?.[0];
    if (folder === undefined || file.change !== "new" || file.warning || file.files !== undefined) continue;
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const largest = [...folders].sort(([, one], [, other]) => other.length - one.length);
  for (const [name, inside] of largest) {
    if (rows.length <= mostRows || inside.length < 3) break;
    const [first] = inside;
    const { kind: _kind, preview: _preview, ...last } = inside.at(-1)!;
    const path = first!.path.slice(0, first!.path.length - first!.name.length + name.length - 1);
    const row = { ...last, path, name, kind: "folder", files: inside.length, size: 0 };
    rows.splice(rows.indexOf(first!), 1, row);
    for (const file of inside.slice(1)) rows.splice(rows.indexOf(file), 1);
  }
  return rows;
}

function factsOf(
  { change, from, files, moreFiles, size, kind, block, language, preview }: Deliverable,
  withPreview: boolean,
): string {
  const was = from === undefined ? [] : [`was ${oneLine(from)}`];
  const what =
    files === undefined
      ? fileFacts()
      : [files === 0 ? "empty" : `${moreFiles ? "more than " : ""}${plural(files, "file")}`];
  const begins = withPreview && preview ? [oneLine(preview)] : [];
  return [change, ...was, ...what, `block ${block}, ${sanitize(language)}`, ...begins].join(" · ");

  function fileFacts(): string[] {
    return change === "deleted" ? [] : [bytes(size), ...(kind ? [sanitize(kind)] : [])];
  }
}

const oneLine = (text: string): string => sanitize(text).replace(/\s+/g, " ");
