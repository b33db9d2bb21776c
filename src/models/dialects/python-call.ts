// Reads calls written the way Python writes them: `execute(language="python", code="""…""")`, alone or in a list.

export interface PythonCall {
  name: string;
  /** By name; those without one by their place: "0", "1". */
  values: Record<string, string>;
}

const opening = /\s*(?:(?:await|return)\s+)?((?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*)\s*\(/y;
const literal = /\s*(?:([A-Za-z_]\w*)\s*[=:]\s*)?([rRbBuUfF]{0,2})("""|'''|"|')/y;
const constant = /\s*(?:([A-Za-z_]\w*)\s*=\s*)?([\w.+-]+)(?=\s*[,)])/y;

/** The calls in a text that is nothing but such calls; else undefined. */
export function readPythonCalls(text: string): PythonCall[] | undefined {
  const inner = /^\s*\[([\s\S]*)\]\s*$/.exec(text)?.[1] ?? text;
  const calls: PythonCall[] = [];
  for (let at = 0; at < inner.length; ) {
    const found = readCall(inner, at);
    if (!found) return undefined;
    calls.push(found.call);
    at = found.end + match(/[\s,;]*/y, inner, found.end)![0].length;
  }
  return calls.length > 0 ? calls : undefined;
}

function readCall(text: string, start: number): { call: PythonCall; end: number } | undefined {
  const head = match(opening, text, start);
  if (!head) return undefined;
  let at = start + head[0].length;
  // Some print what the call returns.
  if (head[1] === "print") {
    const inner = readCall(text, at);
    const close = inner && match(/\s*\)/y, text, inner.end);
    return close ? { call: inner.call, end: inner.end + close[0].length } : undefined;
  }
  const call: PythonCall = { name: head[1]!, values: {} };
  for (let place = 0; ; place++) {
    const close = match(/\s*\)/y, text, at);
    if (close) return { call, end: at + close[0].length };
    const argument = readArgument(text, at);
    if (!argument) return undefined;
    call.values[argument.key ?? String(place)] = argument.value;
    at = argument.end + (match(/\s*,/y, text, argument.end)?.[0].length ?? 0);
  }
}

function readArgument(text: string, start: number): { key?: string; value: string; end: number } | undefined {
  const head = match(literal, text, start);
  if (!head) {
    const word = match(constant, text, start);
    return word ? { ...keyOf(word[1]), value: word[2]!, end: start + word[0].length } : undefined;
  }
  const quote = head[3]!;
  let at = start + head[0].length;
  for (; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(quote, at)) {
      const raw = text.slice(start + head[0].length, at);
      const value = /r/i.test(head[2]!) ? raw : unescapePython(raw);
      const end = at + quote.length;
      return match(/\s*[,)]/y, text, end) ? { ...keyOf(head[1]), value, end } : undefined;
    } else if (text[at] === "\n" && quote.length === 1) return undefined;
  }
  return undefined;
}

const keyOf = (key: string | undefined): { key?: string } => (key === undefined ? {} : { key });

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const letters: Record<string, string> = { n: "\n", t: "\t", r: "\r", "\\": "\\", "'": "'", '"': '"', "\n": "" };

const unescapePython = (text: string): string =>
  text.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g, (whole, two, four, letter: string | undefined) =>
    two || four ? String.fromCharCode(Number.parseInt(two ?? four, 16)) : (letters[letter!] ?? whole),
  );
