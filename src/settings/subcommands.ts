// The one table of what `interpreter WORD` can be besides something to say. Help, completions, manual page and the start are made
// from it.

import { InputProblem, nearest } from "./problem.ts";

export interface Subcommand {
  name: string;
  /** What may follow the name, as the help shows it. */
  argument?: string;
  help: string;
  /** What the next word can be, for completions. */
  words?: readonly string[];
  /** Whether the words after the name belong to the command; otherwise all of it is a sentence. */
  fits(rest: readonly string[]): boolean;
}

/** The shells that completions are made for, and those that can have the hook of `wtf`. */
export const completionShells = ["bash", "zsh", "fish", "powershell"] as const;
export const hookShells = ["bash", "zsh", "fish"] as const;

const alone = (rest: readonly string[]): boolean => rest.length === 0;
const atMostOne = (rest: readonly string[]): boolean => rest.length <= 1;

const isStep = ([word, ...rest]: readonly string[]): boolean =>
  rest.length === 0 && (word === undefined || /^(list|\d+)$/.test(word));

export const subcommands = [
  {
    name: "tour",
    help: "a short scripted conversation whose code really runs here",
    fits: alone,
  },
  {
    name: "models",
    argument: "[WORD]",
    help: "which models could be used now; with a word, all that have it in their name",
    fits: atMostOne,
  },
  {
    name: "keys",
    argument: "[set|remove PROVIDER]",
    help: "which API keys are known; keeps one, forgets one",
    words: ["set", "remove", "list"],
    fits: ([verb, ...rest]) =>
      verb === undefined || (verb === "list" && rest.length === 0) || (/^(set|remove)$/.test(verb) && rest.length <= 2),
  },
  {
    name: "config",
    argument: "[get|set|unset NAME]",
    help: "every setting with its value and where it comes from; changes one in settings.yaml; also path, schema",
    words: ["get", "set", "unset", "path", "schema"],
    fits: ([verb, name, ...rest]) =>
      verb === undefined ||
      (/^(path|schema)$/.test(verb) && name === undefined) ||
      (/^(get|unset)$/.test(verb) && rest.length === 0) ||
      verb === "set",
  },
  {
    name: "trust",
    help: "uses the settings that this folder brings along; with --remove, no more",
    fits: alone,
  },
  {
    name: "rules",
    argument: "[check WHAT]",
    help: "what code may do, must ask for or may not do, and where that is said; check explains a decision; also path",
    words: ["check", "path"],
    fits: ([verb, ...rest]) => verb === undefined || verb === "check" || (verb === "path" && rest.length === 0),
  },
  {
    name: "install",
    argument: "embedded[/NAME]",
    help: "what runs models without a server; with a name, also a model",
    words: ["embedded"],
    fits: ([what = "", ...rest]) => rest.length === 0 && /^embedded(\/\S+)?$/.test(what),
  },
  {
    name: "undo",
    argument: "[STEP]",
    help: "takes back what the last turn in this folder did to files, or one step; --list shows what can be taken back",
    words: ["list"],
    fits: isStep,
  },
  {
    name: "redo",
    argument: "[STEP]",
    help: "puts back what was taken back last in this folder, or one step",
    fits: isStep,
  },
  {
    name: "conversations",
    argument: "[list|search|resume|fork|rename|delete|export …]",
    help: "those that were held before: choose one to go on with, or list, search, copy, name, delete or export them",
    words: ["list", "search", "resume", "fork", "rename", "delete", "export"],
    fits: ([verb, ...rest]) =>
      verb === undefined ||
      (verb === "list" && rest.length === 0) ||
      /^(search|resume|fork|rename|delete|export)$/.test(verb),
  },
  {
    name: "export",
    argument: "[CONVERSATION|NOTEBOOK]",
    help: "the last conversation of this folder, or another, as a file: --format, --clean, --output",
    fits: atMostOne,
  },
  {
    name: "outbox",
    argument: "[CONVERSATION] [N] | search WORDS | other",
    help: "exactly what was sent to models in the last conversation, or in another; N shows one request whole",
    words: ["search", "other"],
    fits: ([first = "", second, ...rest]) =>
      second === undefined || first === "search" || (rest.length === 0 && /^\d+$/.test(second)),
  },
  {
    name: "wtf",
    argument: "[WORDS]",
    help: "what went wrong with the last command of your shell, and what to do (also: wtf)",
    fits: () => true,
  },
  {
    name: "hook",
    argument: "SHELL",
    help: "prints what wtf needs in your shell's start file: bash, zsh or fish",
    words: hookShells,
    fits: atMostOne,
  },
  {
    name: "completions",
    argument: "SHELL",
    help: "prints completions of this command for bash, zsh, fish or powershell",
    words: completionShells,
    fits: atMostOne,
  },
  { name: "man", help: "prints the manual page: interpreter man | man -l -", fits: alone },
  { name: "help", help: "the same as --help", fits: alone },
] as const satisfies readonly Subcommand[];

export type SubcommandName = (typeof subcommands)[number]["name"];

/** The command that words mean, if they are one. */
export function findSubcommand([first, ...rest]: readonly string[]): SubcommandName | undefined {
  const command = (subcommands as readonly Subcommand[]).find(({ name }) => name === first);
  if (!command) return undefined;
  if (command.fits(rest)) return command.name as SubcommandName;
  // A verb with a slip in it, as in `rules chek host`: only such words as no sentence goes on with.
  const near = nearest(rest[0] ?? "", command.words?.filter((word) => word.length > 4) ?? []);
  if (!near && !isSlip(command.name, rest)) return undefined;
  throw new InputProblem(
    `interpreter ${first} does not take ${JSON.stringify(rest[0])}.`,
    `${near ? `Did you mean ${near}? ` : ""}It is: interpreter ${first} ${command.argument}. To say it to the model, put the sentence in quotes.`,
  );
}

/** A wrong verb is no sentence, and must not be sent anywhere: there may be a key behind it. */
function isSlip(name: string, [verb = "", ...rest]: readonly string[]): boolean {
  if (name === "keys" && [verb, ...rest].some((word) => /^(sk|gsk|xai|hf|pplx|nvapi|AIza)[-_]?\w{6,}/.test(word)))
    return true;
  // Nobody says "undo everything" to a model while the command of that name is known.
  if (/^(undo|redo)$/.test(name)) return rest.length === 0;
  if (!/^(keys|config|conversations|rules)$/.test(name)) return false;
  return rest.length === 0 || /^(add|new|save|put|show|list|get|set|rm|del|delete|remove|unset|edit|reset)$/.test(verb);
}
