// Reads what a shell writes about its variables, quoted as it quotes them: bash, zsh and POSIX shells differ little in that.

/** Whole assignments, one after the other; a value may go over many lines. */
export function splitAssignments(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const end = text[at] === "\n" ? at : undefined;
    if (end === undefined) at = afterPiece(text, at);
    else {
      if (end > start) found.push(text.slice(start, end));
      start = ++at;
    }
  }
  if (start < text.length) found.push(text.slice(start));
  return found;
}

/** Where the piece that begins here ends: a quoted text, an escaped character, what is in brackets, or one character. */
function afterPiece(text: string, at: number): number {
  const sign = text[at];
  if (sign === "\\") return at + 2;
  if (sign === "'") return endOf(text, at + 1, "'", false);
  if (sign === '"') return endOf(text, at + 1, '"', true);
  if (sign === "$" && text[at + 1] === "'") return endOf(text, at + 2, "'", true);
  if (sign !== "(") return at + 1;
  let inside = at + 1;
  while (inside < text.length && text[inside] !== ")") inside = afterPiece(text, inside);
  return inside + 1;
}

function endOf(text: string, from: number, quote: string, escapes: boolean): number {
  for (let at = from; at < text.length; at++) {
    if (escapes && text[at] === "\\") at++;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

/** The text that a quoted word stands for. */
export function unquote(word: string): string {
  let text = "";
  for (let at = 0; at < word.length; ) {
    const end = afterPiece(word, at);
    const piece = word.slice(at, end);
    if (piece.startsWith("$'")) text += unescaped(piece.slice(2, -1));
    else if (piece.startsWith("'")) text += piece.slice(1, -1);
    else if (piece.startsWith('"')) text += piece.slice(1, -1).replace(/\\([\s\S])/g, "$1");
    else text += piece.startsWith("\\") ? piece.slice(1) : piece;
    at = end;
  }
  return text;
}

const letters: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  e: "\x1b",
  E: "\x1b",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
};

function unescaped(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g, (_, code: string) => {
    if (/^x./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return letters[code] ?? code;
  });
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
