// The page docs/settings.md, made from the table of options.

import { settable } from "./find-option.ts";
import { type Option, options } from "./options/index.ts";
import { mayBeSetByProject } from "./project-rules.ts";
import { standingText } from "./standing.ts";

const head = `# Flags and settings

Every setting can be a flag, a line in a YAML file, or a variable. Later wins:

1. what holds anyway
2. \`settings.yaml\` in your folder of settings
3. the [profile](profiles.md): \`--profile NAME\`, \`--fast\`, \`--local\`, \`--vision\`, \`--os\`, or \`profile: NAME\` in \`settings.yaml\`
4. the project's file, \`.interpreter/settings.yaml\`, when you trust the folder
5. the environment: \`INTERPRETER_MODEL\` …
6. the flags

In flags, underscores and hyphens are the same. An unknown name or a wrong value is an error that says the file and the line, with the
likely spelling and exit code 2, and nothing is done. What takes several texts (\`loop_breakers\`, \`workspace\`) is a YAML list or one
text, a flag given several times, or lines in the variable. A size is bytes, or has its unit: \`500MB\`, \`5GB\`. \`auto_run\` and
\`approve: never\` are the same; in one place they may not say different things.

Your folder of settings is \`~/.config/open-interpreter\` (macOS: \`~/Library/Application Support/open-interpreter\`, Windows:
\`%APPDATA%\\open-interpreter\`); conversations are in \`~/.local/share/open-interpreter\`. \`INTERPRETER_HOME\` puts everything in one
folder. A file can also describe languages of your own under \`languages\`: [custom-languages.md](custom-languages.md).

## Which value holds, and why

| command | what it does |
|---|---|
| \`interpreter config\` | every setting that has a value, the value, and where it comes from; with flags, as if they were given |
| \`interpreter config --json\` | the same for programs; in a pipe, fields with tabs between them |
| \`interpreter config get NAME\` | the value alone; exit code 1 when there is none |
| \`interpreter config set NAME VALUE\` | writes it into \`settings.yaml\`; comments and order stay |
| \`interpreter config unset NAME\` | takes it out again |
| \`interpreter config path\` | where \`settings.yaml\` is |
| \`interpreter config schema\` | the JSON Schema of a settings file |

Nothing of a key is shown, and \`config set\` writes none: [keys.md](keys.md).

Editors complete and check settings files with [settings.schema.json](settings.schema.json):

\`\`\`sh
cd "$(dirname "$(interpreter config path)")" && interpreter config schema > settings.schema.json
\`\`\`

\`\`\`yaml
# yaml-language-server: $schema=settings.schema.json
model: anthropic/claude-sonnet-5
\`\`\`

## The first start

Who starts the chat without settings, and with no model or several to choose from, is asked once which one to use: those with a key in
the environment, in \`.env\` or kept, those of model servers that run here, a key to be pasted, or the tour. Enter or Escape skips it. The
choice is written to \`settings.yaml\`. Scripts, pipes, \`--plain\`, \`--json\` and machines with \`CI\` set are never asked.

## Settings of a project

\`.interpreter/settings.yaml\` in the working folder, or in the nearest folder above it up to the one with \`.git\` (without one, up to your home
folder), has the same settings. **It does nothing until you trust the folder**: at the first start there, what it would change is shown,
and you are asked. Yes and no are remembered until the file changes. Where nobody can be asked it stays unused, and one line on stderr
says so.

| command | what it does |
|---|---|
| \`interpreter trust\` | shows what the folder's settings change, and trusts it |
| \`interpreter trust --remove\` | trusts it no more |

A folder that you trust can choose the model, the Python, kernels, languages (with the programs they run), instructions and limits. What
takes away a question, spends your money, sends words, code or keys elsewhere, changes what you say, concerns your own terminal, or runs inside this
program is yours alone, and is left out with a line that says so: ${never()}. \`offline\` and \`plan\` may only be turned on,
\`project_instructions\` only off, and a language may not be a \`module\`.

## AGENTS.md

\`AGENTS.md\` in the working folder and in the project's folders above it is added to the system message, the outermost first, 16 KB of each at
most. It is text for the model, not settings: whatever it asks for, code still waits for your yes. With \`-y\` in a folder that you have
not trusted you are told that it is read; \`interpreter trust\` says that you know. \`project_instructions: false\` leaves it out.

## All of them

| flag | setting | variable | what it does |
|---|---|---|---|
`;

/** Those that mean something here and that no project may set. */
function never(): string {
  const names = settable.filter(({ name, legacy }) => !legacy && !mayBeSetByProject(name)).map(({ flag }) => flag);
  return names.map((flag) => `\`${flag}\``).join(", ");
}

const legacyHead = `
## Known from the original

These are taken as well. What does nothing here says what holds instead.

| flag | setting | variable | what it does |
|---|---|---|---|
`;

export function settingsPage(): string {
  const all: readonly Option[] = options;
  const rows = (legacy: boolean) => all.filter((option) => (option.legacy ?? false) === legacy).map(row);
  return head + rows(false).join("") + legacyHead + rows(true).join("");
}

function row(option: Option): string {
  const value = option.value ? ` ${option.value}` : "";
  const flags = [
    ...(option.short ? [`-${option.short}`] : []),
    `--${option.flag}${value}`,
    ...(option.negatable ? [`--no-${option.flag}`] : []),
    ...(option.aliases ?? []),
  ];
  const standing = standingText(option);
  const preset = standing === undefined ? "" : ` Default: ${standing}.`;
  const names = option.once ? " | | | " : ` | \`${option.flag}\` | \`INTERPRETER_${option.flag.toUpperCase()}\` | `;
  return `| ${flags.map((flag) => `\`${flag}\``).join(", ")}${names}${option.help}${preset} |\n`;
}
