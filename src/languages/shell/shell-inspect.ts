// What a shell has in it, read from what the shell itself writes about its variables and functions.

import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Machine } from "../../machine/index.ts";
import type { Completion, Variable } from "../inspection.ts";
import type { FoundShell, ShellName } from "./find-shell.ts";
import { quote } from "./shell-words.ts";

/** Names that every shell keeps changing by itself, and our own. */
const itsOwn =
  /^(_|_oi_\w*|PWD|OLDPWD|SHLVL|RANDOM|SRANDOM|SECONDS|LINENO|EPOCH\w+|BASH\w*|PPID|PIPESTATUS|FUNCNAME|OPT\w+|REPLY|IFS|PS4|ZSH_\w*|zshexit_functions|status|pipestatus|argv|options|\W.*)$/;
const functionsOfOurs = /^(_oi_\w*|read|TRAPINT)$/;

const asks: Record<ShellName, string> = {
  bash: `builtin declare -p; builtin printf '# functions\\n'; builtin declare -F; builtin printf '# folder\\n%s\\n' "$PWD"`,
  zsh: `builtin typeset -p; builtin print -r -- '# functions'; builtin print -rl -- \${(k)functions}; builtin print -r -- '# folder'; builtin print -r -- "$PWD"`,
  sh: `command set; echo '# functions'; echo '# folder'; command pwd`,
};

/** A block that writes the shell's state to a file and leaves everything as it was, the last status too. */
export function inspecting(shell: ShellName, file: string): string {
  return aside(asks[shell], file);
}

/** A block that writes completions of a word, one a line, and then the folder. */
export function completing(shell: ShellName, file: string, before: string): string {
  const { word, kind } = wordAt(before);
  const folder = `printf '# folder\\n%s\\n' "$PWD"`;
  return aside(shell === "bash" ? `builtin compgen -A ${kind} -- ${quote(word)}; ${folder}` : folder, file);
}

/** Code whose output goes to a file, and that leaves everything as it was. */
export function aside(code: string, file: string): string {
  // Where errors end the shell, the last status was 0.
  return `{ _oi_was=$?; { ${code}; } >|${quote(file)}; } 2>/dev/null; case $- in *e*) ;; *) (exit "$_oi_was") ;; esac\n`;
}

/** What the same shell has when it has just been started. */
export async function freshState(found: FoundShell, machine: Machine, env: NodeJS.ProcessEnv): Promise<string> {
  const plain = { bash: ["--noprofile", "--norc"], zsh: ["-f"], sh: [] }[found.name];
  const child = await machine.spawn({ command: found.path, args: [...plain, "-c", asks[found.name]], cwd: "/", env });
  let text = "";
  child.stdout.on("data", (piece: Buffer) => {
    if (text.length < 4 << 20) text += piece.toString("utf8");
  });
  child.stderr.resume();
  await new Promise((done) => child.stdout.once("close", done));
  return text;
}

export function readState(text: string, fresh: string): Variable[] {
  const known = new Map(valuesIn(fresh).map(({ name, value }) => [name, value]));
  const [, functions = "", folder = ""] = sections(text);
  const variables = valuesIn(text)
    .filter(({ name, value }) => !itsOwn.test(name) && known.get(name) !== value)
    .map(({ name, type, value }): Variable => {
      const items = type === "array" || type === "map" ? value.match(/\[[^\]]*\]=/g) : null;
      return { name, type, ...(items && { size: String(items.length) }), preview: value };
    });
  const made = functions
    .split("\n")
    .map((line) => line.replace(/^declare -\S+ /, "").trim())
    .filter((name) => name !== "" && !functionsOfOurs.test(name))
    .map((name): Variable => ({ name, type: "function" }));
  return [{ name: "PWD", type: "folder", preview: folder.trim() }, ...variables, ...made];
}

export async function readCompletions(text: string, shell: ShellName, before: string): Promise<Completion> {
  const { word } = wordAt(before);
  const [list = "", folder = ""] = text.split(/^# folder\n/m);
  const words = shell === "bash" ? list.split("\n").filter(Boolean) : await pathsLike(word, folder.trim());
  return { matches: [...new Set(words)].sort(), start: before.length - word.length, end: before.length };
}

async function pathsLike(word: string, folder: string): Promise<string[]> {
  const base = word.includes("/") ? `${dirname(`${word}x`)}/`.replace(/^\/\/$/, "/") : "";
  const names = await readdir(resolve(folder, base === "" ? "." : base)).catch(() => []);
  const start = word.includes("/") ? word.slice(word.lastIndexOf("/") + 1) : word;
  return names.filter((name) => name.startsWith(start)).map((name) => (base === "" ? name : join(base, name)));
}

function wordAt(before: string): { word: string; kind: "variable" | "command" | "file" } {
  const word = /[^\s;&|()<>"'`$={}]*$/.exec(before)![0];
  const rest = before.slice(0, before.length - word.length);
  if (/\$\{?$/.test(rest)) return { word, kind: "variable" };
  return { word, kind: /(^|[\n;&|(`{])\s*$/.test(rest) && !word.includes("/") ? "command" : "file" };
}

function sections(text: string): string[] {
  return text.split(/^# (?:functions|folder)\n/m);
}

interface Value {
  name: string;
  type: string;
  value: string;
}

/** The first line of each value, without its quotes. */
function valuesIn(text: string): Value[] {
  return sections(text)[0]!
    .split("\n")
    .flatMap((line) => {
      const found = /^(?:(?:declare|typeset|export)(?: -(\S+))? )?([A-Za-z_]\w*)(?:=(.*))?$/.exec(line);
      if (!found) return [];
      const [, flags = "", name = "", value = ""] = found;
      const type = flags.includes("A")
        ? "map"
        : flags.includes("a")
          ? "array"
          : flags.includes("i")
            ? "integer"
            : "text";
      return [{ name, type, value: type === "text" ? value.replace(/^\$?(['"])([\s\S]*?)\1?$/, "$2") : value }];
    });
}
