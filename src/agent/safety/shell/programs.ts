// What starting a program means: those that start another are looked through, and the rest have their line in the tables.

import { posix } from "node:path";
import type { Deed } from "../act.ts";
import { gap, outOf, type Value } from "../value.ts";
import { filePrograms } from "./file-programs.ts";
import { interpreterRuns, runFile } from "./interpreters.ts";
import { networkPrograms } from "./network-programs.ts";
import { argumentsOf, words } from "./options.ts";

export interface Command {
  /** Nothing where it is not known. */
  name: string | undefined;
  values: readonly Value[];
  /** What is piped into it. */
  input: Value;
  background: boolean;
  /** What files hold that commands before this one have written. */
  files?: Map<string, Value>;
}

export type Do = (deed: Deed) => void;

/** Does what it does, and returns what it prints. */
export type Program = (command: Command & { name: string }, act: Do) => Value | undefined;

const tables: Readonly<Record<string, Program>> = { ...filePrograms, ...networkPrograms };

/** Programs that start the one named after their options, and the options of theirs that take a value. */
const wrappers: Readonly<Record<string, ReadonlySet<string>>> = {
  sudo: words("-u -g -h -p -C -r -t -U"),
  doas: words("-u -C"),
  pkexec: words("--user"),
  runuser: words("-u"),
  nohup: words(""),
  nice: words("-n"),
  ionice: words("-c -n -p"),
  time: words("-f -o"),
  stdbuf: words("-i -o -e"),
  setsid: words(""),
  command: words(""),
  builtin: words(""),
  exec: words("-a"),
  busybox: words(""),
  caffeinate: words("-t -w"),
  strace: words("-e -o -p"),
  proxychains: words("-f"),
  torsocks: words(""),
  unshare: words(""),
};

export function programRuns(command: Command, act: Do, depth = 0): Value {
  const name = nameOf(command.name);
  if (name === undefined || depth > 6) return outOf(command.input, ...command.values);
  const texts = command.values.map(({ text }) => text ?? gap);
  act({ type: "command", name, words: texts, input: command.input, background: command.background });
  if (command.name?.includes("/")) runFile({ text: command.name, from: [] }, command.files, act);
  const inner = wrapped(name, command);
  if (inner) return programRuns(inner, act, depth + 1);
  if (name === "find" || name === "fd" || name === "fdfind") return findRuns(name, command, act, depth);
  if (name === "xargs" || name === "parallel") return xargsRuns(command, act, depth);
  const own = interpreterRuns({ ...command, name }, act) ?? tables[name]?.({ ...command, name }, act);
  return own ?? outOf(command.input);
}

/** Without its folder; on Windows without its ending. */
function nameOf(written: string | undefined): string | undefined {
  if (written === undefined || written.includes(gap)) return undefined;
  return posix.basename(written.replaceAll("\\", "/")).replace(/\.exe$/i, "");
}

/** The command inside, where this only starts another. */
function wrapped(name: string, command: Command): Command | undefined {
  const { values } = command;
  const starting = (given: readonly Value[]): Command | undefined =>
    given.length > 0 ? { ...command, name: given[0]!.text, values: given.slice(1) } : undefined;
  if (name === "env") {
    const start = values.findIndex(({ text = "" }) => !/^-|^\w+=/.test(text));
    return start === -1 ? undefined : starting(values.slice(start));
  }
  if (name === "timeout" || name === "flock" || name === "chroot" || name === "watch") {
    const { rest } = argumentsOf(values, words("-k -s -w -n"));
    const skip = name === "watch" ? 0 : 1;
    return starting(rest.length > skip ? values.slice(values.indexOf(rest[skip]!)) : []);
  }
  if (name === "su") {
    const line = argumentsOf(values, words("-c --command -s")).given;
    const text = (line.get("-c") ?? line.get("--command"))?.[0];
    return text && { ...command, name: "sh", values: [{ text: "-c", from: [] }, text] };
  }
  const taking = wrappers[name];
  if (!taking) return undefined;
  // Up to the first word that is neither an option nor its value, nor a variable for the program.
  let at = 0;
  while (at < values.length) {
    const word = values[at]!.text ?? gap;
    if (word === "--") return starting(values.slice(at + 1));
    if (!word.startsWith("-") && !/^\w+=/.test(word)) break;
    at += taking.has(word) ? 2 : 1;
  }
  return starting(values.slice(at));
}

/** Each of the files that it finds is given to what `-exec` names, or is deleted. */
function findRuns(name: string, { values, ...command }: Command, act: Do, depth: number): Value {
  const first = values.findIndex(({ text = "" }) => /^[-(!]/.test(text));
  const roots = name === "find" ? values.slice(0, first === -1 ? undefined : first) : [];
  const root = roots[0]?.text ?? ".";
  const found: Value = { text: `${root}/*`, from: [{ type: "listing" }] };
  const searched = values.map(({ text }) => text ?? "");
  if (searched.includes("-delete"))
    for (const { text } of roots.length > 0 ? roots : [{ text: "." }])
      act({ type: "delete", path: { text: `${text ?? gap}/*`, from: [{ type: "listing" }] }, recursive: true });
  for (const [at, word] of searched.entries()) {
    if (!/^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word)) continue;
    const end = searched.findIndex((each, index) => index > at && /^(;|\+|\\;)$/.test(each));
    const [program, ...rest] = values.slice(at + 1, end === -1 ? undefined : end);
    const given = rest.map((value) => (value.text?.includes("{}") ? { ...found } : value));
    programRuns({ ...command, name: program?.text, values: given }, act, depth + 1);
  }
  return found;
}

function xargsRuns(command: Command, act: Do, depth: number): Value {
  const { values, input } = command;
  const taking = words("-I -n -P -L -s -d -E -a -i");
  let at = 0;
  while (at < values.length && values[at]!.text?.startsWith("-")) at += taking.has(values[at]!.text!) ? 2 : 1;
  const [program, ...rest] = values.slice(at);
  const each: Value = { text: input.text ?? gap, from: [...input.from, { type: "listing" }] };
  const marked = rest.some(({ text }) => text?.includes("{}") || text === "%");
  const given = marked ? rest.map((value) => (/\{\}|^%$/.test(value.text ?? "") ? each : value)) : [...rest, each];
  return programRuns({ ...command, name: program?.text ?? "echo", values: given }, act, depth + 1);
}
