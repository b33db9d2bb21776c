// Patterns of commands: `git push *`, `rm -rf *`, `pip install *`. Word by word; a * at the end stands for any words that follow.

import { InputProblem } from "../problem.ts";

export interface CommandPattern {
  text: string;
  matches(words: readonly string[], widely: boolean): boolean;
}

export function readCommandPattern(written: string, where: string): CommandPattern {
  const { commands, unclear } = splitCommands(written);
  const words = commands[0]?.words ?? [];
  if (commands.length !== 1 || unclear || words.length === 0)
    throw new InputProblem(
      `${where}${JSON.stringify(written)} is no pattern of one command.`,
      "Write a program and its words, for example: git push *",
    );
  const open = words.length > 1 && words.at(-1) === "*";
  const fixed = (open ? words.slice(0, -1) : words).map(wordExpression);
  const one = (given: readonly string[], widely: boolean): boolean => {
    if (open ? given.length < fixed.length : given.length !== fixed.length) return false;
    return fixed.every((form, index) =>
      form.test(index === 0 && !words[0]!.includes("/") ? programName(given[0]!, widely) : given[index]!),
    );
  };
  return {
    text: words.map((word) => (/^[\w./:=@,*?+~-]+$/.test(word) ? word : JSON.stringify(word))).join(" "),
    matches: (given, widely) => (widely ? wrappedIn(given).some((each) => one(each, true)) : one(given, false)),
  };
}

const wordExpression = (word: string): RegExp =>
  new RegExp(
    `^${word
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
    "s",
  );

/** For a rule that forbids, a program is itself wherever it lies. */
function programName(word: string, widely: boolean): string {
  return widely ? word.replace(/^.*[/\\]/, "").replace(/\.(exe|cmd|bat)$/i, "") : word;
}

/** Programs that start another one, which is named after their own words. */
const starters = /^(sudo|doas|env|command|exec|nohup|time|nice|ionice|setsid|stdbuf|timeout|xargs|builtin)$/;
const shells = /^(ba|da|z|k|fi)?sh$/;
const mostDeep = 3;
const mostWords = 8;

/** The command itself, and each that it does nothing but start. How many words are a starter's own is not known here. */
function wrappedIn(words: readonly string[], depth = 0): (readonly string[])[] {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  if (first === -1) return [];
  const [program = "", ...rest] = words.slice(first);
  const own = [program, ...rest];
  const name = programName(program, true);
  if (depth > mostDeep) return [own];
  if (starters.test(name))
    return [own, ...rest.slice(0, mostWords).flatMap((_, at) => wrappedIn(rest.slice(at), depth + 1))];
  if (!shells.test(name)) return [own];
  const script = rest[rest.findIndex((word) => /^-\w*c$/.test(word)) + 1] ?? "";
  return [own, ...splitCommands(script).commands.flatMap((each) => wrappedIn(each.words, depth + 1))];
}

export interface SplitCommand {
  words: string[];
  /** Files that its output is sent to, and those that it reads. */
  writes: string[];
  reads: string[];
}

/** The commands of a line, as a shell would split it. `unclear`: something in it is only known when it runs. */
export function splitCommands(line: string): { commands: SplitCommand[]; unclear: boolean } {
  const commands: SplitCommand[] = [];
  let current: SplitCommand = { words: [], writes: [], reads: [] };
  let word: string | undefined;
  let into: "words" | "writes" | "reads" = "words";
  let unclear = false;
  const endWord = (): void => {
    if (word !== undefined) current[into].push(word);
    if (word !== undefined) into = "words";
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (current.words.length + current.writes.length + current.reads.length > 0) commands.push(current);
    current = { words: [], writes: [], reads: [] };
    into = "words";
  };
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!;
    if (sign === "'" || sign === '"') {
      const end = closing(line, at);
      if (end === -1) unclear = true;
      const inside = line.slice(at + 1, end === -1 ? undefined : end);
      if (sign === '"' && /[$`]/.test(inside)) unclear = true;
      word = (word ?? "") + (sign === '"' ? inside.replace(/\\(["\\$`])/g, "$1") : inside);
      at = end === -1 ? line.length : end;
    } else if (sign === "\\" && at + 1 < line.length) word = (word ?? "") + line[++at]!;
    else if (/[ \t]/.test(sign)) endWord();
    else if (/[;|&\n()]/.test(sign)) {
      // `2>&1` sends nothing to a file.
      if (sign === "&" && into === "writes" && word === undefined) {
        into = "words";
        while (/[\d-]/.test(line[at + 1] ?? "")) at++;
      } else endCommand();
    } else if (sign === ">" || sign === "<") {
      if (/^\d$/.test(word ?? "")) word = undefined;
      endWord();
      into = sign === ">" ? "writes" : "reads";
      if (line[at + 1] === ">") at++;
    } else {
      if (sign === "$" || sign === "`") unclear = true;
      word = (word ?? "") + sign;
    }
  }
  endCommand();
  return { commands, unclear };
}

function closing(line: string, at: number): number {
  const sign = line[at]!;
  for (let end = at + 1; end < line.length; end++) {
    if (line[end] === "\\" && sign === '"') end++;
    else if (line[end] === sign) return end;
  }
  return -1;
}
