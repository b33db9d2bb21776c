// Completions of the command for each shell, made from the tables of options and subcommands.

import { type Option, options } from "./options/index.ts";
import { type completionShells, type Subcommand, subcommands } from "./subcommands.ts";

type Shell = (typeof completionShells)[number];

const all: readonly Option[] = options;
const commands: readonly Subcommand[] = subcommands;

export function completionsFor(shell: Shell): string {
  return { bash, zsh, fish, powershell }[shell]();
}

/** Every spelling with underscores, the shown one first; with its dashes. */
function spellings({ flag, short, negatable, aliases = [] }: Option): string[] {
  const long = [`--${flag}`, ...aliases.filter((alias) => alias.startsWith("--"))];
  return [
    ...long,
    ...(negatable ? long.map((each) => `--no-${each.slice(2)}`) : []),
    ...(short ? [`-${short}`] : []),
    ...aliases.filter((alias) => !alias.startsWith("--")),
  ];
}

const hyphenated = (flag: string): string => flag.replaceAll("_", "-");

/** Both ways of writing each spelling. */
const everySpelling = (option: Option): string[] => [
  ...new Set(spellings(option).flatMap((flag) => [flag, hyphenated(flag)])),
];

const takesValue = ({ kind }: Option): boolean => kind !== "boolean";
const takesFile = ({ value }: Option): boolean => value === "FILE" || value === "PATH" || value === "DIR";

/** The first sentence, which is all there is room for. */
const brief = (help: string): string => (/^(.*?[.;:])\s/.exec(`${help} `)?.[1] ?? help).replace(/[.;:]$/, "");

function bash(): string {
  const values = all
    .filter(takesValue)
    .map((option) => {
      const names = everySpelling(option).join("|");
      if (option.choices)
        return `    ${names}) COMPREPLY=($(compgen -W "${option.choices.join(" ")}" -- "$cur")); return ;;`;
      return takesFile(option)
        ? `    ${names}) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")); return ;;`
        : `    ${names}) return ;;`;
    })
    .join("\n");
  const nested = commands
    .filter(({ words }) => words)
    .map(
      ({ name, words }) =>
        `      ${name}) ((COMP_CWORD == 2)) && COMPREPLY=($(compgen -W "${words!.join(" ")}" -- "$cur")) ;;`,
    )
    .join("\n");
  return `# Completions of interpreter for bash: eval "$(interpreter completions bash)"
_interpreter() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  # A value may stand behind an equals sign, which is a word of its own here.
  [[ $cur == = ]] && cur=
  [[ $prev == = ]] && prev=\${COMP_WORDS[COMP_CWORD - 2]}
  case $prev in
${values}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "${all.flatMap(spellings).join(" ")}" -- "$cur"))
    # Whoever writes hyphens goes on with hyphens.
    ((\${#COMPREPLY[@]})) || COMPREPLY=($(compgen -W "${all.flatMap(spellings).map(hyphenated).join(" ")}" -- "$cur"))
    return
  fi
  if [[ $1 == interpreter || $1 == */interpreter ]]; then
    case \${COMP_WORDS[1]} in
${nested}
    esac
    ((COMP_CWORD == 1)) && COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$cur"))
  fi
  ((\${#COMPREPLY[@]})) || { compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")); }
}
complete -F _interpreter interpreter i wtf
`;
}

function zsh(): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const spec = (option: Option): string[] => {
    const names = spellings(option);
    const help = brief(option.help).replaceAll(/[[\]\\:]/g, "\\$&");
    const what = option.choices ? `(${option.choices.join(" ")})` : takesFile(option) ? "_files" : " ";
    const value = takesValue(option) ? `:${option.value ?? "VALUE"}:${what}` : "";
    const equals = (flag: string): string => (takesValue(option) && flag.startsWith("--") ? "=" : "");
    const others = option.kind === "list" ? "*" : `(${everySpelling(option).join(" ")})`;
    const hidden = everySpelling(option).filter((flag) => !names.includes(flag));
    return [
      ...names.map((flag) => quoted(`${others}${flag}${equals(flag)}[${help}]${value}`)),
      ...hidden.map((flag) => quoted(`!${others}${flag}${equals(flag)}${value}`)),
    ];
  };
  const described = commands.map(({ name, help }) => `    ${quoted(`${name}:${help.replaceAll(":", "\\:")}`)}`);
  const nested = commands
    .filter(({ words }) => words)
    .map(({ name, words }) => `      ${name}) compadd -- ${words!.join(" ")} ;;`);
  return `#compdef interpreter i wtf
# Completions of interpreter for zsh: eval "$(interpreter completions zsh)" after compinit, or a file _interpreter in $fpath.
_interpreter() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C -M 'm:{-_}={_-} r:|[_-]=* r:|=*' \\
${all
  .flatMap(spec)
  .map((each) => `    ${each} \\`)
  .join("\n")}
    '1: :->first' '*: :->more'
  if [[ $state == first ]]; then
    local -a commands=(
${described.join("\n")}
    )
    [[ $service == interpreter ]] && _describe -t commands command commands
    _files
  elif [[ $state == more ]]; then
    [[ $service == interpreter && CURRENT -eq 3 ]] && case $words[2] in
${nested.join("\n")}
    esac
    _files
  fi
}
if [[ $funcstack[1] == _interpreter ]]; then
  _interpreter "$@"
else
  compdef _interpreter interpreter i wtf
fi
`;
}

function fish(): string {
  const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const flagOf = (spelling: string): string =>
    spelling.startsWith("--")
      ? `-l ${spelling.slice(2)}`
      : `-${spelling.length === 2 ? "s" : "o"} ${spelling.slice(1)}`;
  const lines = all.flatMap((option) => {
    const value = option.choices
      ? ` -x -a ${quoted(option.choices.join(" "))}`
      : takesFile(option)
        ? " -r -F"
        : takesValue(option)
          ? " -x"
          : "";
    const complete = (flags: string, when = ""): string =>
      `complete -c $command${when} ${flags}${value} -d ${quoted(brief(option.help))}`;
    const names = spellings(option);
    const hidden = everySpelling(option).filter((flag) => !names.includes(flag));
    return [
      complete(names.map(flagOf).join(" ")),
      // Whoever writes hyphens goes on with hyphens.
      ...(hidden.length > 0
        ? [complete(hidden.map(flagOf).join(" "), " -n 'string match -q -- \"--*-*\" (commandline -ct)'")]
        : []),
    ];
  });
  const first = "test (count (commandline -opc)) -eq 1";
  const subs = commands.map(
    ({ name, help }) => `complete -c interpreter -n ${quoted(first)} -a ${name} -d ${quoted(help)}`,
  );
  const nested = commands.flatMap(({ name, words = [] }) =>
    words.map((word) => {
      const when = `set -l words (commandline -opc); test (count $words) -eq 2; and test $words[2] = ${name}`;
      return `complete -c interpreter -n ${quoted(when)} -a ${word}`;
    }),
  );
  return `# Completions of interpreter for fish: interpreter completions fish | source
for command in interpreter i wtf
${lines.map((line) => `    ${line}`).join("\n")}
end
${[...subs, ...nested].join("\n")}
`;
}

function powershell(): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const row = (text: string, help: string, kind: string): string =>
    `    @{ Text = ${quoted(text)}; Help = ${quoted(brief(help))}; Kind = '${kind}' }`;
  const flags = all.flatMap((option) => everySpelling(option).map((flag) => row(flag, option.help, "ParameterName")));
  const choices = all
    .filter((option) => option.choices)
    .flatMap((option) =>
      everySpelling(option).map((flag) => `    ${quoted(flag)} = @(${option.choices!.map(quoted).join(", ")})`),
    );
  const nested = commands
    .filter(({ words }) => words)
    .map(({ name, words }) => `    ${quoted(name)} = @(${words!.map(quoted).join(", ")})`);
  return `# Completions of interpreter for PowerShell: interpreter completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName interpreter, i, wtf -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $flags = @(
${flags.join("\n")}
  )
  $commands = @(
${commands.map(({ name, help }) => row(name, help, "ParameterValue")).join("\n")}
  )
  $choices = @{
${choices.join("\n")}
  }
  $after = @{
${nested.join("\n")}
  }
  $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
  $given = if ($wordToComplete) { $words.Count - 1 } else { $words.Count }
  $previous = $words[$given - 1]
  $first = $words[0] -eq 'interpreter'
  if ($choices.ContainsKey($previous)) {
    $offered = $choices[$previous] | ForEach-Object { @{ Text = $_; Help = $_; Kind = 'ParameterValue' } }
  } elseif ($wordToComplete -like '-*') {
    $offered = $flags
  } elseif ($first -and $given -eq 1) {
    $offered = $commands
  } elseif ($first -and $given -eq 2 -and $after.ContainsKey($words[1])) {
    $offered = $after[$words[1]] | ForEach-Object { @{ Text = $_; Help = $_; Kind = 'ParameterValue' } }
  } else {
    return
  }
  $offered | Where-Object { $_.Text.StartsWith($wordToComplete) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_.Text, $_.Text, $_.Kind, $_.Help)
  }
}
`;
}
