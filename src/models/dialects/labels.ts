// What a label means: `py` is python, `c++` is a language we may not have, `json` is something to read, not to run.

import { isCommandLine } from "./guess-language.ts";

/** Names for the same thing; the first one that the request allows is used. */
const families: readonly (readonly string[])[] = [
  ["python", "py", "python3", "py3", "ipython", "ipython3", "jupyter", "tool_code"],
  ["javascript", "js", "node", "nodejs", "node.js", "mjs", "cjs", "ecmascript"],
  ["typescript", "ts", "mts"],
  ["react", "jsx", "tsx"],
  ["shell", "bash", "sh", "zsh", "shellscript", "shell-script", "ksh", "dash"],
  ["powershell", "pwsh", "ps1", "posh"],
  ["batch", "bat", "cmd", "dos"],
  ["ruby", "rb"],
  ["r", "rscript", "rlang"],
  ["java"],
  ["applescript", "osascript"],
  ["c++", "cpp", "cxx", "cc"],
  ["c#", "csharp", "cs"],
  ["f#", "fsharp"],
  ["go", "golang"],
  ["rust", "rs"],
  ["perl", "pl"],
  ["php"],
  ["lua"],
  ["julia", "jl"],
  ["kotlin", "kt", "kts"],
  ["haskell", "hs"],
  ["elixir", "exs"],
  ["clojure", "clj"],
  ["objective-c", "objc"],
  ["visualbasic", "vb", "vbnet", "vba", "vbscript"],
  ["assembly", "asm", "nasm"],
];

const otherLanguages =
  "c swift scala dart erlang fortran cobol pascal ada lisp scheme racket prolog matlab octave groovy nim zig ocaml " +
  "crystal tcl solidity coffeescript fish nushell awk d v haxe forth smalltalk raku gleam mojo wolfram sas stata";

const known = new Set([...families.flat(), ...otherLanguages.split(" ")]);

/** Labels of things to read. A label that is none of these and no language either is also only to be read. */
const readable = new Set(
  (
    "text txt plaintext plain markdown md json jsonc json5 jsonl ndjson output stdout stderr result results console " +
    "terminal shell-session shellsession console-output csv tsv yaml yml toml ini cfg conf config diff patch log logs " +
    "xml svg html htm css scss less sql graphql mermaid latex tex bibtex http dotenv env gitignore dockerfile docker " +
    "makefile cmake nginx pycon python-repl traceback error tree regex proto protobuf properties"
  ).split(" "),
);

const prose = new Set(["text", "txt", "plaintext", "plain", "markdown", "md"]);

/** The name to run a block under: one of the request's where it means the same, else what the model wrote, lower-cased. */
export function languageOf(label: string, languages: readonly string[]): string {
  const wanted = label.trim().toLowerCase();
  const exact = languages.find((language) => language.toLowerCase() === wanted);
  if (exact) return exact;
  const family = families.find((names) => names.includes(wanted)) ?? [];
  const relative = languages.find((language) => family.includes(language.toLowerCase()));
  if (relative) return relative;
  // A JavaScript session takes types too.
  if (family[0] === "typescript") return languages.find((language) => language === "javascript") ?? "typescript";
  return family[0] ?? wanted;
}

/** True when a block with this label is meant to run, whether or not we have the language. */
export function isExecutable(label: string, languages: readonly string[]): boolean {
  const wanted = label.trim().toLowerCase();
  if (languages.includes(languageOf(wanted, languages))) return true;
  return known.has(wanted);
}

/** True for a word that could stand after a fence, of either kind. */
export const isLabel = (word: string, languages: readonly string[]): boolean =>
  readable.has(word.toLowerCase()) || isExecutable(word, languages);

/** True when "running" this language means saying it. */
export const isProse = (language: string, languages: readonly string[]): boolean =>
  prose.has(language.toLowerCase()) && !languages.includes(language);

const label = /^[{.\s]*(?:(?:language|lang)[-:=]\s*)?([A-Za-z][\w+#.-]*):?/;

/** The label at the beginning of an info string such as `python {cmd}`, `{r, echo=FALSE}` or `language-js`. */
export function labelOf(info: string): string {
  const word = label.exec(info.trim())?.[1]?.toLowerCase() ?? "";
  return word.replace(/^python\d[\d.]*$/, "python");
}

/** What stands behind the label, when it is code and not an attribute: models forget the newline. */
export function codeBehindLabel(info: string): string {
  const rest = info.trim().replace(label, "").trim();
  const isCode =
    isCommandLine(rest) ||
    /^(?:import|from|def|class|for|while|with|async|return|const|let|var|function)\s/.test(rest) ||
    /^[A-Za-z_$][\w.$]*\s?\(/.test(rest) ||
    /^[A-Za-z_$][\w.$]*\s+[-+*/]?=\s/.test(rest);
  return isCode ? rest : "";
}
