// The manual page, as roff, made from the tables of options and subcommands.

import { exitCodeHelp, tagline, ways } from "./help.ts";
import { type Option, options } from "./options/index.ts";
import { standingText } from "./standing.ts";
import { type Subcommand, subcommands } from "./subcommands.ts";

/** `chat`: the commands of the chat, each with what it does. */
export function manualPage(version: string, chat: readonly (readonly [string, string])[]): string {
  const all: readonly Option[] = options;
  const own = all.filter(({ legacy }) => !legacy);
  const legacy = all.filter((option) => option.legacy);
  const starts: readonly Subcommand[] = subcommands;
  const [name, words] = tagline.split(": ");
  return [
    `.TH INTERPRETER 1 "" "Open Interpreter ${version}" "Open Interpreter"`,
    ".SH NAME",
    `interpreter, i, wtf \\- ${plain(words!)}`,
    ".SH SYNOPSIS",
    ...[
      [".B interpreter", "[\\fIOPTIONS\\fR] [\\fIWORDS\\fR]"],
      [".B interpreter", "\\fICOMMAND\\fR"],
      [".B wtf", "[\\fIWORDS\\fR]"],
    ].flatMap(([command, rest], index) => [...(index > 0 ? [".br"] : []), command!, rest!]),
    ".SH DESCRIPTION",
    plain(`${name} lets a model write code and runs it on this machine, in sessions that stay alive.`),
    "Each block waits for a yes unless \\fB\\-y\\fR is given.",
    ...ways.flatMap(([way, help]) => entry(bold(way), help)),
    ".SH COMMANDS",
    "Words that are none of these are said to the model.",
    ...starts.flatMap(({ name: start, argument, help }) =>
      entry(`${bold(start)}${argument ? ` ${italic(argument)}` : ""}`, help),
    ),
    ".SH OPTIONS",
    "Underscores and hyphens are the same. Words after \\fB\\-\\-\\fR are said as they are.",
    ...own.flatMap(optionEntry),
    ".SH OPTIONS KNOWN FROM THE ORIGINAL",
    ...legacy.flatMap(optionEntry),
    ".SH COMMANDS OF THE CHAT",
    "They begin with / or with %.",
    ...chat.flatMap(([command, help]) => entry(bold(command), help)),
    ".SH EXIT STATUS",
    ...exitCodeHelp.flatMap(([code, meaning]) => entry(bold(String(code)), meaning)),
    ".SH ENVIRONMENT",
    "Each option that is a setting can be a variable: \\fBINTERPRETER_\\fR and the name of the flag in capitals, for example",
    "\\fBINTERPRETER_MODEL\\fR. \\fBINTERPRETER_HOME\\fR is a folder for everything that is kept.",
    "\\fBNO_COLOR\\fR means no colours.",
    ".SH FILES",
    ...entry(bold("~/.config/open-interpreter/settings.yaml"), "settings, by the names of the flags"),
    ...entry(bold("~/.config/open-interpreter/profiles/"), "settings for --profile"),
    ...entry(bold("~/.local/share/open-interpreter/"), "conversations and everything else that is kept"),
    "",
  ]
    .filter((line, index, lines) => line !== "" || index === lines.length - 1)
    .join("\n");
}

function optionEntry(option: Option): string[] {
  const value = option.value ? ` ${italic(option.value)}` : "";
  const names = [
    ...(option.short ? [`-${option.short}`] : []),
    `--${option.flag}`,
    ...(option.negatable ? [`--no-${option.flag}`] : []),
    ...(option.aliases ?? []),
  ];
  const standing = standingText(option);
  return entry(
    `${names.map(bold).join(", ")}${value}`,
    `${option.help}${standing === undefined ? "" : ` Default: ${standing}.`}`,
  );
}

const entry = (term: string, text: string): string[] => [".TP", term, plain(text)];

const bold = (text: string): string => `\\fB${plain(text)}\\fR`;
const italic = (text: string): string => `\\fI${plain(text)}\\fR`;

/** Nothing in it means something to roff. */
function plain(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga");
  return escaped.startsWith(".") ? `\\&${escaped}` : escaped;
}
