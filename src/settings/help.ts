// The text of `interpreter --help`, made from the table of options.

import { type Option, options } from "./options.ts";

const usage = `Open Interpreter: say what you want; a model writes code; it runs here, and you decide.

  interpreter                 chat in the terminal
  interpreter "words"         one task, then exit            (also: i words)
  command | interpreter "…"   the same, with what is piped in attached
  interpreter keys            which API keys are known; keys set PROVIDER keeps one, keys remove PROVIDER forgets it
  interpreter install embedded  what runs models without a server; install embedded/NAME also gets a model
  interpreter tour            a short scripted conversation whose code really runs here

Options (underscores and hyphens are the same):
`;

const closing = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped because code needed approval and nobody was there,
4 stopped at a limit, 5 budget used up, 6 no answer that follows the output schema, 130 interrupted.
`;

export function helpText(): string {
  return usage + (options as readonly Option[]).map(line).join("") + closing;
}

function line(option: Option): string {
  const long = `--${option.negatable ? "[no-]" : ""}${option.flag}`;
  const left = `${option.short ? `-${option.short}, ` : ""}${long}${option.value ? ` ${option.value}` : ""}`;
  return `  ${left.padEnd(36)} ${left.length > 36 ? `\n${" ".repeat(39)}` : ""}${option.help}\n`;
}
