// Programs that run text: shells, `eval`, and interpreters of other languages with a program on their command line.

import { gap, isKnown, joined, outOf, type Value } from "../value.ts";
import { argumentsOf, words } from "./options.ts";
import type { Command, Do } from "./programs.ts";

interface Interpreter {
  language?: string;
  /** The options after which a program stands. */
  text: ReadonlySet<string>;
}

const shell: Interpreter = { language: "shell", text: words("-c") };
const sql: Interpreter = { language: "sql", text: words("-c -e --command --execute -cmd") };
const other: Interpreter = { text: words("-e -r -E") };

const interpreters: Readonly<Record<string, Interpreter>> = {
  ...Object.fromEntries(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"].map((name) => [name, shell])),
  ...Object.fromEntries(
    ["psql", "mysql", "mariadb", "sqlite3", "duckdb", "clickhouse-client"].map((name) => [name, sql]),
  ),
  ...Object.fromEntries(
    ["perl", "ruby", "php", "lua", "Rscript", "osascript", "pwsh", "powershell"].map((name) => [name, other]),
  ),
  python: { language: "python", text: words("-c") },
  node: { language: "javascript", text: words("-e -p --eval --print") },
  bun: { language: "javascript", text: words("-e --eval") },
};

/** What one of them does; nothing for every other program. */
export function interpreterRuns(
  { name, values, input, files }: Command & { name: string },
  act: Do,
): Value | undefined {
  if (name === "eval") return runText(joined(values, " "), "shell", act);
  if (name === "source" || name === ".") {
    runFile(values[0], files, act);
    return outOf(...values);
  }
  const found = interpreters[/^python[\d.]*$/.test(name) ? "python" : name];
  if (!found) return undefined;
  const { given, rest, options } = argumentsOf(values, found.text);
  const programs = [...found.text].flatMap((option) => given.get(option) ?? []);
  for (const text of programs) {
    if (found === other)
      for (const line of commandsIn(text.text ?? "")) act({ type: "block", language: "shell", code: line });
    runText(found === shell && rest.length > 1 ? withPlaces(text, rest.slice(1)) : text, found.language, act);
  }
  if (found === sql) {
    if (rest[0]) act({ type: "read", path: rest[0] });
    const text = rest.at(-1);
    if (rest.length > 1 && /\s/.test(text?.text ?? "")) runText(text!, "sql", act);
    if (given.size === 0 && input.text) runText(input, "sql", act);
    return outOf(input);
  }
  const script = rest[0];
  runFile(script, files, act);
  const readsInput = given.size === 0 && (rest.length === 0 || script?.text === "-" || options.includes("-s"));
  if (readsInput && (input.text !== undefined || input.from.length > 0)) runText(input, found.language, act);
  if (
    found.language === "python" &&
    values[0]?.text === "-m" &&
    /^(http\.server|SimpleHTTPServer)$/.test(values[1]?.text ?? "")
  )
    act({ type: "listen", everywhere: !values.some(({ text = "" }) => /^(127\.0\.0\.1|localhost|::1)$/.test(text)) });
  return { text: gap, from: outOf(input).from };
}

/** bash <(curl …), and a file that was fetched or decoded before. */
export function runFile(file: Value | undefined, files: Command["files"], act: Do): void {
  const content = outOf(file, file?.text === undefined ? undefined : files?.get(file.text.replace(/^\.\//, "")));
  if (content.from.some(({ type }) => type === "network" || type === "decoded"))
    act({ type: "run", what: content, known: false });
}

/** `sh -c '… "$1"' name value`: the values have numbers in there. */
const withPlaces = (text: Value, places: readonly Value[]): Value => {
  const set = places.map((place) => `'${(place.text ?? gap).replaceAll("'", "'\\''")}'`).join(" ");
  return { ...text, text: `set -- ${set}; ${text.text ?? gap}` };
};

/** Lines that Perl, Ruby or PHP give to a shell. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:system|exec|shell_exec|passthru|popen|qx)\b\s*\(?\s*(["'`])(.*?)\1|`([^`]+)`/gs)].map(
    ([, , quoted, ticked]) => quoted ?? ticked ?? "",
  );

function runText(what: Value, language: string | undefined, act: Do): Value {
  if (language !== "sql") act({ type: "run", what, known: isKnown(what.text) });
  if (what.text !== undefined && what.text !== gap && language) act({ type: "block", language, code: what.text });
  return outOf(what);
}
