// Changes files: an exact replacement, or the whole file. Both say what changed.

import { readFile } from "node:fs/promises";
import { loadDescribing } from "../../machine/index.ts";
import { ComputerFault, type Context } from "../module.ts";
import { nearestLines } from "./nearest.ts";
import { onPath, openPlace } from "./place.ts";
import { openText } from "./read.ts";
import { replaceFile } from "./replace-file.ts";

const largest = 20 << 20;
const longestDiff = 50_000;

export interface Edit {
  path: string;
  old: string;
  new: string;
  count: number;
}

export function edit({ path, old, new: replacement, count }: Edit, context: Context): Promise<string> {
  if (old === "") throw new ComputerFault("ValueError", "The text to replace is empty: use write for a new file.");
  if (old === replacement) throw new ComputerFault("ValueError", "The old and the new text are the same.");
  if (!(count >= 1)) throw new ComputerFault("ValueError", "count says how often the text is there: 1 or more.");
  return onPath(path, context.cwd, async () => {
    const before = await wholeText(path, context);
    // A file with Windows line ends keeps them, whatever ends the lines of the call have.
    const windows = !before.includes(old) && !old.includes("\r") && before.includes("\r\n");
    const ends = (text: string) => (windows ? text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n") : text);
    const parts = before.split(ends(old));
    if (parts.length - 1 !== count) throw wrongCount(path, before, ends(old), parts, count);
    const after = parts.join(ends(replacement));
    using place = openPlace(path, context);
    await replaceFile(place, after);
    return difference(path, before, after);
  });
}

export function write({ path, text }: { path: string; text: string }, context: Context): Promise<string> {
  return onPath(path, context.cwd, async () => {
    const before = await wholeText(path, context).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      if (error instanceof ComputerFault && error.name === "ValueError") return null;
      throw error;
    });
    using place = openPlace(path, context, { make: true });
    await replaceFile(place, text);
    const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
    if (before === undefined) return `Made ${path}: ${lines} lines.`;
    if (before === null) return `Replaced ${path}: ${lines} lines.`;
    return (await difference(path, before, text)) || `${path} was like that already.`;
  });
}

async function wholeText(path: string, context: Context): Promise<string> {
  const file = await openText(path, context);
  try {
    if ((await file.stat()).size > largest)
      throw new ComputerFault("ValueError", `${path} is larger than ${largest >> 20} MB: change it with code.`);
    const bytes = await readFile(file);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new ComputerFault("ValueError", `${path} is not UTF-8 text: change it with code that knows its encoding.`);
  } finally {
    await file.close();
  }
}

function wrongCount(path: string, text: string, old: string, parts: string[], count: number): ComputerFault {
  if (parts.length > 1) {
    const there = parts.length - 1;
    const lines = placesOf(parts, old);
    const times = there === 1 ? "once" : `${there} times`;
    const advice =
      there > count
        ? `Give more of the lines around it so that it is there only ${count === 1 ? "once" : `${count} times`}, or pass count=${there} to replace every one.`
        : `Pass count=${there}.`;
    return new ComputerFault(
      "ValueError",
      `The text to replace is in ${path} ${times} (line ${lines}), not ${count === 1 ? "once" : `${count} times`}. Nothing was changed. ${advice}`,
    );
  }
  const near = nearestLines(text, old);
  const start = `The text to replace is not in ${path}. Nothing was changed.`;
  if (!near)
    return new ComputerFault(
      "ValueError",
      `${start} Nothing there is like it: look with computer.files.read or search.`,
    );
  const shown = near.lines.map((line, index) => `${String(near.line + index).padStart(6)}  ${line.slice(0, 200)}`);
  const why = near.onlySpace ? "The same words are there with other white space" : "The nearest lines are";
  return new ComputerFault(
    "ValueError",
    `${start} ${why}:\n${shown.join("\n")}\nCopy the text exactly as it is in the file (without the line numbers) and try again.`,
  );
}

function placesOf(parts: string[], old: string): string {
  const newlines = (text: string) => text.split("\n").length - 1;
  let line = 1;
  const lines = parts.slice(0, -1).map((part) => {
    line += newlines(part);
    const at = line;
    line += newlines(old);
    return at;
  });
  return lines.length > 20 ? `${lines.slice(0, 20).join(", ")}, …` : lines.join(", ");
}

async function difference(path: string, before: string, after: string): Promise<string> {
  const diff = (await loadDescribing()).unifiedDiff(path, before, after);
  if (diff.length <= longestDiff) return diff;
  return `${diff.slice(0, longestDiff)}\n… ${diff.length - longestDiff} more characters of diff …\n`;
}
