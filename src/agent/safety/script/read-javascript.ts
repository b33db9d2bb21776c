// JavaScript and TypeScript by the parser that their sessions use.

import { loadJavascriptParser } from "../../../languages/index.ts";
import type { See } from "../act.ts";
import { evaluate } from "./evaluate.ts";
import { javascriptDialect } from "./javascript-dialect.ts";
import { javascriptSteps } from "./javascript-tree.ts";

export async function readJavascript(code: string, see: See): Promise<void> {
  const { parseBlock } = await loadJavascriptParser();
  const parsed = await parseBlock(code).catch((error: Error) => error);
  if (parsed instanceof Error) see({ type: "unreadable", why: parsed.message, unfinished: false, line: 1 });
  else evaluate(javascriptSteps(parsed.program), javascriptDialect, see);
}
