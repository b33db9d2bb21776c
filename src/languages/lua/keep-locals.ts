// Lets what a block declares with `local` at its top level live on in the next block: the word is taken away, so that the
// names are global. Inside of functions and loops nothing changes, and every line stays where it was.

const token =
  /--\[(=*)\[[\s\S]*?(?:\]\1\]|$)|--[^\n]*|\[(=*)\[[\s\S]*?(?:\]\2\]|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|[A-Za-z_]\w*|\s+|::|[\s\S]/g;

const opens = new Set(["function", "do", "then", "repeat", "{", "(", "["]);
const closes = new Set(["end", "until", "}", ")", "]", "elseif"]);

export function keepLocals(code: string): string {
  const parts = code.match(token) ?? [];
  let depth = 0;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    if (closes.has(part)) depth--;
    if (part === "local" && depth === 0) index = globalise(parts, index);
    else if (opens.has(part)) depth++;
  }
  return parts.join("");
}

/** Rewrites the declaration that begins here; returns the last part it looked at. */
function globalise(parts: string[], start: number): number {
  const next = after(parts, start);
  if (parts[next] === "function") {
    parts[start] = "";
    return next - 1;
  }
  // name [<attribute>] {, name [<attribute>]} [=
  const attributes: number[] = [];
  let last = next;
  for (let at = next; at < parts.length; ) {
    if (!/^[A-Za-z_]\w*$/.test(parts[at]!)) return start;
    last = at;
    at = after(parts, at);
    if (parts[at] === "<") {
      for (; at < parts.length && parts[at] !== ">"; at++) attributes.push(at);
      attributes.push(at);
      last = at;
      at = after(parts, at);
    }
    if (parts[at] === ",") {
      at = after(parts, at);
      continue;
    }
    for (const attribute of attributes) parts[attribute] = "";
    parts[start] = "";
    // A declaration without a value.
    if (parts[at] !== "=") parts[last] += " = nil";
    break;
  }
  return last;
}

/** The next part that is neither space nor comment. */
function after(parts: readonly string[], index: number): number {
  let at = index + 1;
  while (at < parts.length && /^(\s|--)/.test(parts[at]!)) at++;
  return at;
}
