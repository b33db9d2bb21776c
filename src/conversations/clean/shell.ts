// What blocks of shell do, as far as their words tell: commands that only look, files that are made, state that is kept. Everything
// else cannot be judged, and is kept.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BlockFacts } from "./facts.ts";
import { placeOf } from "./places.ts";

/** Commands that change nothing. */
const looking = new Set(
  `ls ll cat head tail pwd echo printf wc grep egrep fgrep rg find file stat du df date uname whoami id which type command env printenv
  tree less more diff cmp md5sum sha256sum uniq cut tr nl od xxd hexdump strings ps free uptime hostname nproc lscpu lsblk man true :
  test [ [[ seq basename dirname realpath readlink column jq sleep`.split(/\s+/),
);
const installing = /^(pip3?|python3? -m pip|uv pip|conda|mamba|npm|apt|apt-get|brew|uv) (install|add|i)\b/;
const versions = /^(\S+) (--version|-V|-v|version|--help|list|show|freeze|info)$/;
const git = /^git (status|log|diff|show|branch|remote -v|rev-parse)\b/;
const state =
  /^(cd|export|source|\.|alias|set|shopt|unset|declare|typeset|local|eval|trap|umask|pushd|popd)\b|^\w+=|^\w+\s*\(\)|^function\s/;

export interface ShellFacts extends BlockFacts {
  /** It only installs packages, or only looks. */
  installs?: boolean;
}

/** `made` are the files that blocks of other languages write. */
export function shellFacts(code: string, folder: string, made: ReadonlySet<string> = new Set()): ShellFacts {
  const facts = {
    reads: new Set<string>(),
    binds: new Set<string>(),
    changes: new Set<string>(),
    doubt: new Set<string>(),
  };
  const filesRead = new Set<string>();
  const filesMade = new Set<string>();
  let installs = false;
  const make = (path: string, sure: boolean): void => {
    const place = placeOf(path, folder);
    if (place.startsWith("/dev/") || /[$*?{`]/.test(path)) {
      if (!path.startsWith("/dev/")) facts.doubt.add("it writes files whose names are only known when it runs");
      return;
    }
    filesMade.add(place);
    (sure ? facts.binds : facts.changes).add(`file:${place}`);
    if (!sure) facts.reads.add(`file:${place}`);
  };
  const read = (path: string): void => {
    const place = placeOf(path, folder);
    if (facts.binds.has(`file:${place}`) || place === ".") return;
    const there = made.has(place) || statSync(join(folder, place), { throwIfNoEntry: false })?.isFile();
    if (!there || !existsSync(folder)) return;
    filesRead.add(place);
    facts.reads.add(`file:${place}`);
  };
  facts.reads.add("folder");
  for (const command of commandsOf(code)) {
    const { words, redirects } = command;
    const text = words.join(" ");
    if (text === "" && redirects.length === 0) continue;
    const [name = "", ...rest] = words;
    for (const word of rest) read(word.replace(/^\w+=/, ""));
    const targets = rest.filter((word) => !word.startsWith("-"));
    if (installing.test(text)) installs = true;
    else if (state.test(text)) facts.changes.add("shell:state");
    else if (name === "mkdir") for (const each of targets) facts.changes.add(`place:${placeOf(each, folder)}`);
    else if (/^(touch|rm|rmdir|chmod|truncate)$/.test(name)) for (const each of targets) make(each, false);
    else if (/^(cp|mv|ln)$/.test(name) && targets.length === 2) make(targets[1]!, true);
    else if (name === "tee") for (const each of targets) make(each, !rest.includes("-a"));
    else if (name === "sort" && rest.includes("-o")) make(rest[rest.indexOf("-o") + 1] ?? "", true);
    else if (!isLooking(name, rest, text)) facts.doubt.add(`what \`${name}\` does cannot be told`);
    for (const { path, append } of redirects) make(path, !append);
  }
  // A variable, a function or another folder of a block before may be meant.
  facts.reads.add("shell:state");
  return {
    reads: [...facts.reads],
    binds: [...facts.binds],
    changes: [...facts.changes],
    filesRead: [...filesRead],
    filesMade: [...filesMade],
    doubt: [...facts.doubt],
    installs,
  };
}

function isLooking(name: string, rest: readonly string[], text: string): boolean {
  if (name === "find" && rest.some((word) => /^-(delete|exec|execdir|ok|fprint)/.test(word))) return false;
  if (name === "sed" || name === "perl") return !rest.some((word) => /^-\w*i/.test(word)) && name === "sed";
  if (name === "awk" || name === "sort") return true;
  return looking.has(name) || versions.test(text) || git.test(text);
}

interface Command {
  words: string[];
  redirects: { path: string; append: boolean }[];
}

/** The simple commands of a block; what stands in quotes is one word, what stands in a here-document is none. */
function commandsOf(code: string): Command[] {
  const plain = code.replace(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?\n\s*\2(?=\n|$)/g, "$3");
  const pieces =
    plain.match(/"(?:\\.|[^"\\])*"|'[^']*'|\d*>>|\d*&?>|&&|\|\||[;|&\n]|#[^\n]*|(?:\\.|[^\s"'<>;|&])+|<|\s/g) ?? [];
  const commands: Command[] = [{ words: [], redirects: [] }];
  let word = "";
  let target: boolean | undefined;
  const end = (): void => {
    if (word === "") return;
    const last = commands.at(-1)!;
    if (target === undefined) last.words.push(word);
    else if (!word.startsWith("&")) last.redirects.push({ path: word, append: target });
    target = undefined;
    word = "";
  };
  for (const piece of pieces) {
    if (/^(&&|\|\||[;|&\n])$/.test(piece)) {
      end();
      commands.push({ words: [], redirects: [] });
    } else if (/^\d*&?>{1,2}$/.test(piece)) {
      end();
      target = piece.endsWith(">>");
    } else if (/^\s$|^<$/.test(piece) || (piece.startsWith("#") && word === "")) end();
    else word += /^["']/.test(piece) ? piece.slice(1, -1) : piece;
  }
  end();
  return commands.map(({ words, redirects }) => ({ words: withoutKeywords(words), redirects }));
}

const withoutKeywords = (words: readonly string[]): string[] => {
  const at = words.findIndex((word) => !/^(if|then|else|elif|while|until|do|!|time|sudo|\{|\()$/.test(word));
  const rest = at === -1 ? [] : words.slice(at);
  return /^(for|case|esac|fi|done|select|\}|\))$/.test(rest[0] ?? "") ? [] : rest;
};
