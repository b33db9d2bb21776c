// Reads the command line: flags in either spelling, anywhere among the words; everything else is what the person says.

import { type Choices, type Option, options } from "./options/index.ts";
import { InputProblem, nearest } from "./problem.ts";
import { valueFromText } from "./values.ts";

export interface CommandLine {
  choices: Choices;
  words: string[];
}

export function readCommandLine(args: readonly string[]): CommandLine {
  const choices: Record<string, unknown> = {};
  const words: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    if (argument === "--") {
      words.push(...args.slice(index + 1));
      break;
    }
    if (!/^-[a-z-]/i.test(argument)) {
      words.push(argument);
      continue;
    }
    const equals = argument.indexOf("=");
    const written = equals === -1 ? argument : argument.slice(0, equals);
    const { option, negated } = findFlag(written);
    if (option.kind === "boolean") {
      const value = equals === -1 || (valueFromText(option, argument.slice(equals + 1), written) as boolean);
      choices[option.name] = negated ? !value : value;
      continue;
    }
    const leftOut = option.without !== undefined && /^(-|$)/.test(args[index + 1] ?? "");
    const text = equals !== -1 ? argument.slice(equals + 1) : leftOut ? option.without : args[++index];
    if (text === undefined) {
      throw new InputProblem(`${written} needs a value: ${option.value}.`, option.help);
    }
    const value = valueFromText(option, text, written);
    const before = choices[option.name] as readonly string[] | undefined;
    choices[option.name] = option.kind === "list" ? [...(before ?? []), ...(value as readonly string[])] : value;
  }
  const meant = (options as readonly Option[]).flatMap(({ name, means }) => (means && choices[name] ? [means] : []));
  return { choices: Object.assign({}, ...meant, choices) as Choices, words };
}

function findFlag(written: string): { option: Option; negated: boolean } {
  const all: readonly Option[] = options;
  const long = /^--(.*)$/.exec(written)?.[1]?.replaceAll("-", "_").toLowerCase();
  if (long !== undefined) {
    const option = all.find((candidate) => longNames(candidate).includes(long));
    if (option) return { option, negated: false };
    const negated = all.find(
      (candidate) => candidate.negatable && longNames(candidate).some((name) => `no_${name}` === long),
    );
    if (negated) return { option: negated, negated: true };
    const near = nearest(
      long,
      all.map((candidate) => candidate.flag),
    );
    throw new InputProblem(
      `There is no flag ${written}.`,
      near ? `Did you mean --${near}?` : "interpreter --help lists every flag.",
    );
  }
  const option = all.find(({ short, aliases }) => `-${short}` === written || aliases?.includes(written));
  if (option) return { option, negated: false };
  throw new InputProblem(
    `There is no flag ${written}.`,
    "interpreter --help lists every flag; put words after -- to say them as they are.",
  );
}

const longNames = ({ flag, aliases = [] }: Option): string[] => [
  flag,
  ...aliases.filter((alias) => alias.startsWith("--")).map((alias) => alias.slice(2)),
];
