// Reads `language` and `code` out of the growing JSON text of a tool call, once over every character, so that code
// can be shown as it is written. What is not JSON is left to the loose reader at the end.

import { parse } from "./json-values.ts";
import { fromValue, readLooseCall, unescapeText } from "./loose-call.ts";

export interface ArgumentSink {
  language(name: string): void;
  code(text: string): void;
  /** One object is over; a further one begins in the same arguments. */
  next(): void;
}

export interface ArgumentReader {
  write(text: string): void;
  /** True once the object is closed. */
  readonly closed: boolean;
  /** Gives the sink what can still be saved; text that is no object at all comes back as raw code. */
  end(): void;
}

type State =
  | "start"
  | "key-start"
  | "key"
  | "colon"
  | "value-start"
  | "string"
  | "escape"
  | "unicode"
  | "skip"
  | "maybe-closed"
  | "maybe-more"
  | "maybe-key"
  | "maybe-colon"
  | "maybe-end"
  | "doubtful"
  | "closed"
  | "malformed";

const space = /\s/;
const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

export function createArgumentReader(sink: ArgumentSink): ArgumentReader {
  let state: State = "start";
  const parts: string[] = [];
  let key = "";
  let value = "";
  let hex = "";
  let held = "";
  let heldKey = "";
  let depth = 0;
  let skipString = false;
  let skipEscape = false;
  let sawCode = false;
  let sawLanguage = false;
  let restarted = false;
  let sent = "";

  const isCode = (): boolean => key === "code";

  const put = (text: string): void => {
    if (!text) return;
    if (!isCode()) {
      value += text;
      return;
    }
    sawCode = true;
    sent += text;
    sink.code(text);
  };

  const closeString = (): void => {
    if (key === "language" || key === "lang") {
      sawLanguage = true;
      sink.language(value);
    }
    value = "";
  };

  /** The quote was part of the code after all: what was held is code, and reading goes on inside the string. */
  const reopen = (): void => {
    const text = held;
    held = "";
    state = "string";
    put('"');
    readAll(text.slice(1));
  };

  const confirmClosed = (): void => {
    held = "";
    sawCode = true;
    closeString();
  };

  const restart = (): void => {
    sink.next();
    [state, sent, sawCode, sawLanguage, restarted] = ["key-start", "", false, false, true];
  };

  function readAll(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (state === "string") {
        const stop = nextStop(text, at);
        put(text.slice(at, stop));
        at = stop;
        if (at < text.length) readInString(text[at++]!);
      } else if (state === "malformed") {
        return;
      } else if (state === "doubtful") {
        held += text.slice(at);
        return;
      } else {
        const char = text[at++]!;
        if (state.startsWith("maybe")) {
          held += char;
          readMaybe(char);
        } else read(char);
        if (restarted) {
          restarted = false;
          parts.splice(0, parts.length, `{${text.slice(at)}`);
        }
      }
    }
  }

  function readInString(char: string): void {
    if (char === "\\") state = "escape";
    else if (isCode()) {
      held = '"';
      state = "maybe-closed";
    } else {
      closeString();
      state = "key-start";
    }
  }

  function read(char: string): void {
    switch (state) {
      case "start":
        if (char === "{") state = "key-start";
        else if (!space.test(char)) state = "malformed";
        return;
      case "key-start":
        if (char === '"') [state, key] = ["key", ""];
        else if (char === "}") state = "closed";
        else if (char !== "," && !space.test(char)) state = "malformed";
        return;
      case "key":
        if (char === '"') state = "colon";
        else key += char;
        return;
      case "colon":
        if (char === ":") state = "value-start";
        else if (!space.test(char)) state = "malformed";
        return;
      case "value-start":
        if (space.test(char)) return;
        if (char === '"') [state, value] = ["string", ""];
        else if (isCode()) state = "malformed";
        else {
          [state, depth, skipString, skipEscape] = ["skip", 0, false, false];
          skip(char);
        }
        return;
      case "escape":
        if (char === "u") [state, hex] = ["unicode", ""];
        else {
          state = "string";
          // Only what JSON knows is an escape; models write `\d` and mean it.
          put(escapes[char] ?? ('"\\/'.includes(char) ? char : `\\${char}`));
        }
        return;
      case "unicode":
        hex += char;
        if (!/^[0-9a-fA-F]+$/.test(hex)) {
          const text = hex;
          state = "string";
          put("\\u");
          readAll(text);
        } else if (hex.length === 4) {
          state = "string";
          put(String.fromCharCode(Number.parseInt(hex, 16)));
        }
        return;
      case "skip":
        skip(char);
        return;
      case "closed":
        if (char === "{") restart();
        return;
      default:
        return;
    }
  }

  /** After a quote in the code: is it the end of the string, or a quote somebody forgot to escape? */
  function readMaybe(char: string): void {
    if (space.test(char) && state !== "maybe-key") return;
    switch (state) {
      case "maybe-closed":
        if (char === ",") state = "maybe-more";
        else if (char === "}") state = "maybe-end";
        else if (char === '"' && sent === "") state = "malformed";
        else reopen();
        return;
      case "maybe-more":
        if (char === '"') [state, heldKey] = ["maybe-key", ""];
        else if (char === "}") state = "maybe-end";
        else reopen();
        return;
      case "maybe-key":
        if (char === '"') state = "maybe-colon";
        else if (/[\w -]/.test(char) && heldKey.length < 40) heldKey += char;
        else reopen();
        return;
      case "maybe-colon":
        if (char !== ":") reopen();
        else if (/^(language|lang|code)$/.test(heldKey)) {
          confirmClosed();
          [state, key] = ["value-start", heldKey];
        } else state = "doubtful";
        return;
      case "maybe-end":
        if (char === "{") {
          confirmClosed();
          restart();
        } else state = "doubtful";
        return;
      default:
        return;
    }
  }

  function skip(char: string): void {
    if (skipString) {
      if (skipEscape) skipEscape = false;
      else if (char === "\\") skipEscape = true;
      else if (char === '"') skipString = false;
    } else if (char === '"') skipString = true;
    else if (char === "{" || char === "[") depth++;
    else if (depth > 0 && (char === "}" || char === "]")) depth--;
    else if (depth === 0 && char === ",") state = "key-start";
    else if (depth === 0 && char === "}") state = "closed";
  }

  /** Doubt is settled by the whole text: JSON is what it says; otherwise the code goes on to the last closing quote. */
  function settle(): void {
    const whole = fromValue(parse(parts.join("")));
    if (whole?.code === sent) {
      confirmClosed();
      return;
    }
    const last = /"\s*,?\s*\}\s*$/.exec(held);
    if (last && last.index > 0) put(unescapeText(held.slice(0, last.index)));
    confirmClosed();
  }

  return {
    write(text) {
      parts.push(text);
      readAll(text);
    },
    get closed() {
      return state === "closed" || state === "maybe-end";
    },
    end() {
      if (state === "doubtful") settle();
      else if (state.startsWith("maybe")) confirmClosed();
      else if (state === "unicode" || state === "escape") state = "string";
      if ((sawCode || sent) && sawLanguage) return;
      const text = parts.join("");
      const saved = readLooseCall(text);
      if (saved?.language && !sawLanguage) sink.language(saved.language);
      if (sawCode || sent) return;
      const code = saved?.code ?? rawCode(text);
      if (code !== undefined) sink.code(code);
    },
  };
}

/** Arguments that are no object are the code itself, plain or as a JSON string. */
function rawCode(text: string): string | undefined {
  const value = parse(text);
  if (typeof value === "string") return value;
  if (value !== undefined && typeof value === "object") return undefined;
  return text.trim() === "" ? undefined : text;
}

function nextStop(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 34 || char === 92) return at;
  }
  return text.length;
}
