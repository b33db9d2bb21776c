// The two dialects side by side: how each asks for code, and how each is read.

import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { Dialect } from "../types.ts";
import type { ReaderContext, ReplyReader } from "./dialect.ts";
import { executeTool } from "./execute-tool.ts";
import instructions from "./markdown-instructions.md";

export type { Ending, ReaderContext, ReplyReader } from "./dialect.ts";

/** Loaded while the model thinks: nothing of it is needed to ask. */
export const loadReader = async (dialect: Dialect): Promise<(context: ReaderContext) => ReplyReader> =>
  dialect === "tool"
    ? (await import("./tool.ts")).createToolReader
    : (await import("./markdown.ts")).createMarkdownReader;

export const toolsOf = (dialect: Dialect, languages: readonly string[]): LanguageModelV4FunctionTool[] | undefined =>
  dialect === "tool" && languages.length > 0 ? [executeTool(languages)] : undefined;

/** Models without tools are told how to ask: in our words or the person's, or not at all. */
export function systemOf(
  dialect: Dialect,
  system: string,
  languages: readonly string[],
  ownInstructions: string = instructions,
): string {
  if (dialect === "tool" || languages.length === 0) return system;
  const text = ownInstructions
    .replaceAll("{languages}", () => languages.join(", "))
    .replaceAll("{example}", () => languages[0] ?? "python")
    .trim();
  return [system, /^(?:none)?$/i.test(text) ? "" : text].filter((part) => part).join("\n\n");
}
