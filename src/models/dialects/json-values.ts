// Reads JSON as models write it: several values in a row, commas too many, raw newlines in strings, Python's constants.

/** The value, strictly read, or undefined. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value, with the slips mended that can be mended without guessing. */
export const parseMended = (text: string): unknown => parse(text) ?? parse(mend(text));

/** Every value in a text that is nothing but values, with commas, semicolons or newlines between; else undefined. */
export function parseValues(text: string): unknown[] | undefined {
  const whole = parseMended(text);
  if (whole !== undefined) return [whole];
  const values: unknown[] = [];
  for (let at = 0; at < text.length; ) {
    const gap = /[\s,;]*/y;
    gap.lastIndex = at;
    at += gap.exec(text)![0].length;
    if (at >= text.length) break;
    const end = endOfValue(text, at);
    const value = end === undefined ? undefined : parseMended(text.slice(at, end));
    if (value === undefined) return undefined;
    values.push(value);
    at = end!;
  }
  return values.length > 0 ? values : undefined;
}

/** Where the object or list that begins at `start` ends, as far as brackets and quotes tell. */
export function endOfValue(text: string, start: number): number | undefined {
  if (text[start] !== "{" && text[start] !== "[") return undefined;
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}

const constants: Record<string, string> = { True: "true", False: "false", None: "null" };

function mend(text: string): string {
  let inString = false;
  return text.replace(/\\[\s\S]|"|[\n\r\t]|,(?=\s*[}\]])|\b(?:True|False|None)\b/g, (found) => {
    if (found === '"') inString = !inString;
    else if (inString) return found === "\n" ? "\\n" : found === "\t" ? "\\t" : found === "\r" ? "\\r" : found;
    else if (found === ",") return "";
    else return constants[found] ?? found;
    return found;
  });
}
