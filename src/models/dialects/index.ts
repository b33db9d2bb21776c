// The two dialects side by side: how each asks for code, and how each is read.

import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { Dialect } from "../types.ts";
import type { ReaderContext, ReplyReader } from "./dialect.ts";
import { executeTool } from "./execute-tool.ts";
import { createMarkdownReader } from "./markdown.ts";
import instructions from "./markdown-instructions.md";
import { createToolReader } from "./tool.ts";

export type { Ending, ReaderContext, ReplyReader } from "./dialect.ts";

export const createReader = (dialect: Dialect, context: ReaderContext): ReplyReader =>
  dialect === "tool" ? createToolReader(context) : createMarkdownReader(context);

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
