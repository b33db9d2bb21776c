// Settings that a folder brings along: what they would change, the question whether it is trusted, and `interpreter trust`.

import { type AskTrust, type CommandLine, InputProblem, openSettings, places } from "../settings/index.ts";
import { inOneLine } from "./config-table.ts";
import { LineReader } from "./line-reader.ts";
import { sanitize } from "./sanitize.ts";
import { clip } from "./text/width.ts";
import { saysNo, saysYes } from "./yes-no.ts";

type Project = Parameters<AskTrust>[0];

/** Undefined when the person says neither. */
export const askTrust: AskTrust = async (project, folder) => {
  process.stdout.write(await describe(project, folder));
  const lines = new LineReader(process.stdin, process.stdout);
  const stop = new AbortController();
  lines.onInterrupt = () => stop.abort();
  try {
    for (;;) {
      const answer = (await lines.line("Trust this folder? y/n: ", { signal: stop.signal }))?.trim().toLowerCase();
      if (!answer) return undefined;
      if (saysYes(answer)) return true;
      if (saysNo(answer)) return false;
      process.stdout.write("y takes its settings, n does not; Enter alone decides nothing.\n");
    }
  } finally {
    lines.close();
  }
};

/** The settings a project would set, one to a line; commands of its languages as they would be run. */
async function describe({ path, choices, refused }: Project, folder: string): Promise<string> {
  const { settable } = await openSettings();
  const columns = process.stdout.columns || 100;
  const chosen = choices as Readonly<Record<string, unknown>>;
  const rows = [
    ...settable.flatMap(({ name, flag }) => (chosen[name] === undefined ? [] : [[flag, inOneLine(chosen[name])]])),
    ...(choices.customLanguages ?? []).map(({ name, command = [] }) => [
      "languages",
      inOneLine(`${name}, which runs: ${command.join(" ")}`),
    ]),
  ];
  const width = Math.max(0, ...rows.map(([name]) => name!.length));
  return [
    `${sanitize(folder)} has settings of its own, in ${sanitize(path)}\n`,
    ...rows.map(([name, value]) => `${clip(`  ${name!.padEnd(width)}  ${value}`, columns * 3)}\n`),
    ...refused.map((line) => `  ${sanitize(line)}\n`),
    ...(rows.length === 0 ? ["  It sets nothing that a project may set.\n"] : []),
  ].join("");
}

/** `interpreter trust`, `interpreter trust --remove`. */
export async function runTrust({ choices }: CommandLine): Promise<number> {
  const { findProjectSettings, forgetTrust, keepTrust, projectFolders, readInstructions, readProject } =
    await openSettings();
  const folders = projectFolders(process.cwd(), process.env);
  const file = findProjectSettings(folders);
  if (choices.remove) {
    const forgotten = folders.filter((folder) => forgetTrust(places(), folder));
    if (forgotten.length === 0) throw new InputProblem("This folder is not trusted.", "There is nothing to remove.");
    return print(`Not trusted any more: ${forgotten.join(", ")}\n`);
  }
  if (file) {
    const project = await readProject(file);
    process.stdout.write(await describe(project, file.folder));
    keepTrust(places(), file.folder, file.text, true);
    return print("Trusted, as long as that file does not change. `interpreter trust --remove` takes it back.\n");
  }
  if (readInstructions(folders).length > 0) {
    keepTrust(places(), folders[0]!, "", true);
    return print(`Trusted: ${folders[0]}. \`interpreter trust --remove\` takes it back.\n`);
  }
  throw new InputProblem(
    "There is nothing here to trust: no .interpreter/settings.yaml and no AGENTS.md, here or in the folders of the project above.",
  );
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
