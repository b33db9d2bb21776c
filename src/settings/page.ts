// The page docs/settings.md, made from the table of options.

import { defaults, type Option, options } from "./options.ts";

const head = `# Flags and settings

Every setting can be a flag, a line in a YAML file, or a variable. Later wins: \`settings.yaml\`, the profile (\`--profile\`), the
environment, the flags. In flags, underscores and hyphens are the same. An unknown name or a wrong value is an error that says
where, with exit code 2, and nothing is done. What takes several texts (\`loop_breakers\`) is a YAML list or one text, a flag given
several times, or lines in the variable.

Files: \`settings.yaml\` and \`profiles/NAME.yaml\` in \`~/.config/open-interpreter\` (macOS: \`~/Library/Application Support/open-interpreter\`,
Windows: \`%APPDATA%\\open-interpreter\`); conversations in \`~/.local/share/open-interpreter\`. \`INTERPRETER_HOME\` puts everything in one
folder. A file can also describe languages of your own under \`languages\`: [custom-languages.md](custom-languages.md).

| flag | setting | variable | what it does |
|---|---|---|---|
`;

export function settingsPage(): string {
  return head + (options as readonly Option[]).map(row).join("");
}

function row(option: Option): string {
  const value = option.value ? ` ${option.value}` : "";
  const flags = [
    ...(option.short ? [`-${option.short}`] : []),
    `--${option.flag}${value}`,
    ...(option.negatable ? [`--no-${option.flag}`] : []),
  ];
  const standing = (defaults as Record<string, unknown>)[option.name];
  const preset = standing === undefined ? "" : ` Default: ${standing}.`;
  const names = option.once ? " | | | " : ` | \`${option.flag}\` | \`INTERPRETER_${option.flag.toUpperCase()}\` | `;
  return `| ${flags.map((flag) => `\`${flag}\``).join(", ")}${names}${option.help}${preset} |\n`;
}
