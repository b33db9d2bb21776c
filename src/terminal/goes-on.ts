// Whether Enter sends a message or begins another line of it.

import type { GoesOn } from "./editor/editor.ts";

/** `language`: the session typed lines go to, if any. */
export function goesOn(text: string, language: string | undefined): ReturnType<GoesOn> {
  if (isQuoted(text)) return /"""[\s\S]*"""/.test(text) ? undefined : "break";
  const isCode = language !== undefined || /^[%!]/.test(text);
  // In code the backslash means something to whoever reads it.
  if (text.endsWith("\\")) return isCode ? "break" : "replace";
  // A block of code that was begun ends with an empty line.
  const begun = language !== undefined && /[:{([]\s*?(\n|$)/.test(text);
  return begun && !/\n\s*$/.test(text) ? "break" : undefined;
}

/** What a message in triple quotes says. */
export const unquoted = (text: string): string => (isQuoted(text) ? text.trim().replace(/^"""\n?|\n?"""$/g, "") : text);

const isQuoted = (text: string): boolean => text.trimStart().startsWith('"""');
