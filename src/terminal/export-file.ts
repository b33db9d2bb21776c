// A conversation into a file: what it is called where nobody names it, and what goes beside it.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { type ExportKind, loadArchive, loadExport } from "../conversations/index.ts";
import type { Message } from "../messages/index.ts";
import { InputProblem } from "../settings/index.ts";
import { htmlHighlighter } from "./html-colours.ts";

export interface FileRequest {
  kind: ExportKind;
  messages: readonly Message[];
  title?: string;
  /** Where it goes when no file is named. */
  folder: string;
  /** The file that is named. */
  path?: string;
}

/** The path of the file. Throws InputProblem when it cannot be written. */
export async function exportToFile({ kind, messages, title: given, folder, path }: FileRequest): Promise<string> {
  const [{ exportConversation, writeExport, escaped }, { nameOf }] = await Promise.all([loadExport(), loadArchive()]);
  const title = nameOf({ messages: [...messages], ...(given !== undefined && { title: given }) });
  const highlight = htmlHighlighter(escaped);
  const { text, extension } = await exportConversation(kind, { messages, title, highlight });
  const file = path ?? freePath(join(folder, fileName(title)), extension);
  const pictures = `${basename(file).replace(/\.md$/, "")}.assets`;
  const exported = kind === "md" ? await exportConversation(kind, { messages, title, pictures }) : { text, beside: [] };
  writeExport(file, exported);
  return file;
}

export interface WrittenExport {
  kind: ExportKind;
  file: string;
  /** Only what the results need. */
  clean: boolean;
}

/** What a person writes after `export`: `clean`, a kind and a file, any of them, or none. */
export async function readExport(text: string): Promise<WrittenExport> {
  const { exportKinds } = await loadExport();
  const clean = /^clean(\s|$)/.test(text);
  const written = clean ? text.slice("clean".length).trim() : text;
  const [first = "", ...rest] = written.split(/\s+/);
  const named = exportKinds.find((kind) => kind === first);
  const file = named ? rest.join(" ") : written;
  if (!named && file !== "" && !/[./\\~]/.test(file))
    throw new InputProblem(`There is no kind ${JSON.stringify(first)}.`, `There are: ${exportKinds.join(", ")}.`);
  return { kind: named ?? kindOf(file), file, clean };
}

const endings: Record<string, ExportKind> = {
  html: "html",
  htm: "html",
  ipynb: "ipynb",
  py: "script",
  sh: "script",
  js: "script",
  cjs: "script",
  mjs: "script",
};

/** What the name of a file says. */
export const kindOf = (path = ""): ExportKind => endings[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "md";

/** A title as the name of a file. */
export const fileName = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40) || "conversation";

export function freePath(path: string, extension: string): string {
  for (let count = 1; ; count++) {
    const candidate = `${path}${count === 1 ? "" : `-${count}`}${extension}`;
    if (!existsSync(candidate)) return candidate;
  }
}
