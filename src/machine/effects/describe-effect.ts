// What became of one file, link or folder: facts in a few words, and the difference line by line. However large it is, little
// of it is read.

import { bytes } from "./bytes.ts";
import { type FileFacts, fileFacts, inWords, readWhole } from "./describe-file.ts";
import { unifiedDiff } from "./diff.ts";
import type { Effect, Version } from "./effect.ts";
import { namesInside } from "./inside.ts";
import { sameEnds } from "./line-ends.ts";
import { plural, thousands } from "./plural.ts";

export interface DescribedEffect {
  /** 120 → 118 rows, 5 columns; +3 −1 lines; was png 640×480, 12 kB. */
  facts: string;
  /** The first line of a new text or table. */
  preview?: string;
  /** By how many rows a table that was changed is longer. */
  rows?: number;
}

/** Texts up to this size are compared line by line, and so much of a difference is shown. */
const largestText = 1_000_000;
const longestDiff = 200_000;

export function describeEffect(effect: Effect): DescribedEffect {
  const { change, before, after } = effect;
  if (change === "mode") return { facts: modes(before, after) };
  if (change === "renamed") return { facts: `was ${effect.from}${effect.kind === "folder" ? inside(effect) : ""}` };
  if (change === "created") return present(effect, "");
  if (change === "deleted") return { facts: present(effect, "was ").facts };
  if (before && after && before.kind !== after.kind) return { facts: `${before.kind}, now a ${after.kind}` };
  if (effect.kind === "link") return { facts: `link to ${after?.target ?? "?"}, was to ${before?.target ?? "?"}` };
  return effect.kind === "file" ? changedFile(effect) : { facts: wordFor(effect) };
}

/** What is there, or what was there: `lead` says which. */
function present(effect: Effect, lead: string): DescribedEffect {
  const [version, path] =
    effect.change === "created" ? [effect.after, effect.afterPath] : [effect.before, effect.beforePath];
  if (effect.kind === "folder") return { facts: `${lead}folder${inside(effect)}` };
  if (effect.kind === "link") return { facts: `${lead}link to ${version?.target ?? "?"}` };
  if (effect.kind === "other") return { facts: `${lead}${wordFor(effect)}` };
  const facts = path === undefined ? undefined : fileFacts(path, effect.path);
  const size = version ? [bytes(version.size)] : [];
  return {
    facts: `${lead}${[facts ? inWords(facts) : "file", ...size].join(", ")}`,
    ...(facts?.preview !== undefined && { preview: facts.preview }),
  };
}

const wordFor = ({ kind }: Effect): string => (kind === "other" ? "socket, pipe or device" : kind);

function inside({ files, moreFiles }: Effect): string {
  if (files === undefined) return "";
  return ` (${moreFiles ? "more than " : ""}${plural(files, "file")})`;
}

function changedFile(effect: Effect): DescribedEffect {
  const { before, after, path } = effect;
  const [old, young] = [effect.beforePath, effect.afterPath].map((each) => each && fileFacts(each, path));
  const sizes = before && after ? from(bytes(before.size), bytes(after.size)) : "";
  const moded = before && after && before.mode !== after.mode ? `, ${modes(before, after)}` : "";
  if (!old || !young) return { facts: `${sizes || "file"}${moded}` };
  if (isSame(effect)) return { facts: `written again with the same content${moded}` };
  const table = tables(old, young);
  if (table) return { ...table, facts: table.facts + moded };
  const { diff, ends } = (old.text && young.text && textDiff(effect)) || { diff: "", ends: "" };
  const lined = [diff && lineCounts(diff), ends].filter((each) => each !== "").join(", ");
  if (lined !== "") return { facts: lined + moded };
  const words = from(inWords(old), inWords(young));
  return { facts: `${words}, ${sizes}${moded}` };
}

/** Of files that are not too large to be compared. */
function isSame({ before, after, beforePath, afterPath }: Effect): boolean {
  if (before?.size !== after?.size || beforePath === undefined || afterPath === undefined) return false;
  const old = readWhole(beforePath, largestText);
  const young = old && readWhole(afterPath, largestText);
  return young?.equals(old!) === true;
}

function tables(old: FileFacts, young: FileFacts): DescribedEffect | undefined {
  if (old.rows === undefined || young.rows === undefined || old.columns === undefined || young.columns === undefined)
    return undefined;
  const about = old.more || young.more ? "more than " : "";
  const facts = `${about}${counts(old.rows, young.rows, "row")}, ${counts(old.columns, young.columns, "column")}`;
  return { facts, ...(!about && { rows: young.rows - old.rows }) };
}

const counts = (before: number, after: number, what: string): string =>
  `${from(thousands(before), thousands(after))} ${what}${after === 1 ? "" : "s"}`;

const from = (before: string, after: string): string => (before === after ? after : `${before} → ${after}`);

/** +3 −1 lines. */
function lineCounts(diff: string): string {
  const lines = diff.split("\n").slice(2);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return `+${count("+")} −${count("-")} lines`;
}

/** rw-r--r-- → rwxr-xr-x */
const modes = (before: Version | undefined, after: Version | undefined): string =>
  before && after ? from(letters(before.mode), letters(after.mode)) : "other permissions";

function letters(mode: number): string {
  const bits = [6, 3, 0].map((shift) => (mode >> shift) & 7);
  const shown = bits.map((three) => ["r", "w", "x"].map((sign, place) => (three & (4 >> place) ? sign : "-")).join(""));
  return `${shown.join("")}${mode > 0o777 ? ` (${mode.toString(8)})` : ""}`;
}

/** The difference line by line of a text; of everything else what can be said of it. Ends with a line break. */
export function diffOf(effect: Effect): string {
  const { diff, ends } = textDiff(effect) ?? { diff: "", ends: "" };
  const first = ends === "" ? "" : `${ends}\n`;
  if (diff === "") return first || `${describeEffect(effect).facts}\n${listInside(effect)}`;
  if (diff.length <= longestDiff) return first + diff;
  const shown = diff.slice(0, diff.lastIndexOf("\n", longestDiff) + 1);
  return `${first}${shown}… and more: the rest of the difference is not shown.\n`;
}

const mostNamed = 50;

/** What is in a folder that came or went with all in it; nothing of everything else. */
export function filesInside({ kind, change, beforePath, afterPath }: Effect): Iterable<string> {
  const folder = change === "deleted" ? beforePath : change === "created" ? afterPath : undefined;
  return kind !== "folder" || folder === undefined ? [] : namesInside(folder);
}

/** A line each. */
function listInside(effect: Effect): string {
  const { files = 0, moreFiles } = effect;
  const names: string[] = [];
  for (const name of filesInside(effect)) {
    if (names.length === mostNamed) {
      const left = files - mostNamed;
      const count = left > 0 ? `${moreFiles ? "more than " : ""}${thousands(left)} ` : "";
      return `${lines(names)}  … and ${count}more\n`;
    }
    names.push(name);
  }
  return lines(names);
}

const lines = (names: readonly string[]): string =>
  names.map((name) => `  ${name.replace(/\p{Cc}/gu, "\ufffd")}\n`).join("");

/** With how the ends of lines changed. Undefined when it is no text, or too large a one. */
function textDiff(effect: Effect): { diff: string; ends: string } | undefined {
  const { change, before, after, beforePath, afterPath, kind, name } = effect;
  if (kind !== "file" || change === "mode") return undefined;
  const old = change === "created" ? "" : textOf(before, beforePath);
  const young = change === "deleted" ? "" : textOf(after, afterPath);
  if (old === undefined || young === undefined) return undefined;
  const { before: was, after: is, words: ends } = sameEnds(old, young);
  return { diff: unifiedDiff(name, was, is), ends };
}

function textOf(version: Version | undefined, path: string | undefined): string | undefined {
  if (path === undefined || version?.kind !== "file" || version.size > largestText) return undefined;
  const content = readWhole(path, largestText);
  return content === undefined || content.includes(0) ? undefined : content.toString("utf8");
}
