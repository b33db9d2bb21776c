// What single lines look like around fenced blocks.

/** Spaces, and what looks like nothing at all. */
const blank = "[\\s\\u200b\\u2060]";
export const lineOpener = new RegExp(`^(${blank}*(?:(?:[-*+]|\\d+[.)])\\s+)?)(\`{3,}|~{3,})([^\`\\n]*)\\n$`);
export const mayBeOpener = new RegExp(`^${blank}*(?:[-*+]\\s*|\\d+[.)]\\s*|\\d+)?(?:~[^\\n]*|\`*)$`);
/** After other words on its line a fence counts only with the name of a language. */
export const inlineOpener = /^(`{3,})([A-Za-z][\w+#.-]*)[ \t]*\r?\n$/;
/** A whole block on one line. */
export const oneLiner = /^\s*(`{3,})([A-Za-z][\w+#.-]*)[ \t]+([^`\s](?:[^`\n]*[^`\s])?)[ \t]*\1[ \t]*\r?\n$/;
export const mayBeOneLiner = /^\s*`{3,}[A-Za-z][\w+#.-]*[ \t][^\n]*$/;
/** No info string is longer; what goes on is a line of text. */
export const longestInfo = 1_000;
export const leadingBlank = new RegExp(`^${blank}*`);
export const mayCloseCode = new RegExp(`^${blank}*(?:\`[^\\n]*|~[^\\n]*)?$`);
/** Labels of transcripts, which run only if they are all commands. */
export const transcript = /^(console|terminal|shell-session|shellsession)$/;
/** What is longer than this is no line that a person or a model lays out. */
export const longestLine = 4_000;

/** The margin of a line of code, without characters nobody sees. */
export const visible = (margin: string): string =>
  margin.replace(/[\u200b\u2060\ufeff]/g, "").replaceAll("\u00a0", " ");

/** How many of the last characters are of these. */
export function trailing(text: string, characters: string): number {
  let at = text.length;
  while (at > 0 && characters.includes(text[at - 1]!)) at--;
  return text.length - at;
}
