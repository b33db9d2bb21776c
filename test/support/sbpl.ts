// Reads a profile of macOS's sandbox and says what it decides, by the rules of its language: the last line that speaks of it holds.

export interface Asked {
  operation: string;
  path?: string;
  /** Where a connection goes: "localhost:8080", "example.org:443". */
  remote?: string;
  /** Where it is listened, or a socket lies. */
  local?: string;
  /** Of a service, of a fact about the system, or of shared memory. */
  name?: string;
}

type Form = string | { text: string } | { pattern: string } | Form[];

export function readForms(profile: string): Form[] {
  const tokens = profile.matchAll(/\s+|(\()|(\))|#"([^"]*)"|"((?:[^"\\]|\\.)*)"|([^\s()"]+)/gy);
  const stack: Form[][] = [[]];
  let end = 0;
  for (const token of tokens) {
    end = token.index + token[0].length;
    const [, open, close, pattern, text, word] = token;
    if (open) stack.push([]);
    else if (close) {
      const done = stack.pop()!;
      stack.at(-1)!.push(done);
    } else if (pattern !== undefined) stack.at(-1)!.push({ pattern });
    else if (text !== undefined) stack.at(-1)!.push({ text: unescaped(text) });
    else if (word) stack.at(-1)!.push(word);
  }
  if (end !== profile.length || stack.length !== 1) throw new Error(`This is no profile from ${end} on.`);
  return stack[0]!;
}

const unescaped = (text: string): string =>
  text.replace(/\\(x[0-9a-f]{2}|.)/g, (_, sign: string) =>
    sign.startsWith("x")
      ? String.fromCharCode(Number.parseInt(sign.slice(1), 16))
      : ({ n: "\n", r: "\r", t: "\t" }[sign] ?? sign),
  );

/** Whether a program inside may do that. */
export function allows(profile: string, asked: Asked): boolean {
  let allowed = false;
  for (const form of readForms(profile).slice(1)) {
    const [verdict, ...rest] = form as Form[];
    const operations = rest.filter((each) => typeof each === "string");
    const filters = rest.filter((each) => Array.isArray(each));
    if (!operations.some((each) => covers(each, asked.operation))) continue;
    if (filters.length === 0 || filters.some((filter) => matches(filter, asked))) allowed = verdict === "allow";
  }
  return allowed;
}

const covers = (written: string, operation: string): boolean =>
  written === "default" ||
  written === operation ||
  (written.endsWith("*") && operation.startsWith(written.slice(0, -1))) ||
  operation.startsWith(`${written}-`);

function matches([kind, ...rest]: Form[], asked: Asked): boolean {
  const { path, remote, local, name } = asked;
  const [value] = rest;
  const text = (value as { text?: string })?.text ?? "";
  const within = (place: string | undefined): boolean =>
    place !== undefined && (place === text || place.startsWith(text.endsWith("/") ? text : `${text}/`));
  switch (kind) {
    case "subpath":
      return within(path);
    case "literal":
      return path === text;
    case "regex":
      return path !== undefined && new RegExp((value as { pattern: string }).pattern).test(path);
    case "require-all":
      return rest.every((each) => matches(each as Form[], asked));
    case "remote":
    case "local": {
      const place = kind === "remote" ? remote : local;
      if (value === "unix-socket") return matches(rest[1] as Form[], { operation: "", path: place ?? "" });
      const address = (rest[1] as { text: string }).text;
      return (
        place !== undefined && (address.endsWith(":*") ? place.startsWith(address.slice(0, -1)) : place === address)
      );
    }
    case "global-name":
    case "sysctl-name":
      return name === text;
    case "sysctl-name-prefix":
      return name?.startsWith(text) ?? false;
    case "ipc-posix-name-regex":
      return name !== undefined && new RegExp((value as { pattern: string }).pattern).test(name);
    // Of what only the system knows, nothing is taken for granted.
    default:
      return false;
  }
}
