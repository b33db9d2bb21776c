// A conversation as a file for people and programs that have never heard of us.

import type { Message } from "../../messages/index.ts";
import { toHtml } from "./html.ts";
import { toMarkdown } from "./markdown.ts";
import { toNotebook } from "./notebook.ts";
import { type BlockPart, partsOf } from "./parts.ts";
import { toScript } from "./script.ts";

export { escaped } from "./html-escape.ts";
export type { BlockPart } from "./parts.ts";
export { writeExport } from "./write.ts";

export const exportKinds = ["md", "html", "ipynb", "script"] as const;
export type ExportKind = (typeof exportKinds)[number];

/** A file that goes beside another, by its name from there. */
export interface Beside {
  name: string;
  content: string | Buffer;
}

export interface Exported {
  text: string;
  /** How a file of it ends, with the dot. */
  extension: string;
  beside: Beside[];
}

export interface ExportRequest {
  messages: readonly Message[];
  title: string;
  /** Said before everything else. */
  preface?: string;
  /** Also what the model thought. */
  reasoning?: boolean;
  /** For markdown: the folder that pictures go to, beside it; without one they are inside of it. */
  pictures?: string;
  /** For HTML: code with colours. */
  highlight?(language: string, code: string): string;
  /** For scripts: a block as a program says it that is not a session. */
  translated?(part: BlockPart): string | undefined;
  helpers?: string;
}

export async function exportConversation(kind: ExportKind, request: ExportRequest): Promise<Exported> {
  const parts = partsOf(request.messages, request);
  if (kind === "md") return { ...toMarkdown(parts, request), extension: ".md" };
  if (kind === "html") return { text: toHtml(parts, request), extension: ".html", beside: [] };
  if (kind === "ipynb") return { text: await toNotebook(parts, request), extension: ".ipynb", beside: [] };
  return { ...toScript(parts, request), beside: [] };
}
