// Whether a project's settings are used: only when the person has said that they trust the folder with just these settings in it.

import { type FileChoices, parseYaml, readChoices } from "./files.ts";
import type { Choices } from "./options/index.ts";
import type { Places } from "./places.ts";
import { InputProblem } from "./problem.ts";
import type { ProjectFile } from "./project.ts";
import { judgeProject, type ProjectChoices } from "./project-rules.ts";
import { keepTrust, trustOf } from "./trust.ts";

/** Shows what a project would set and asks; undefined when the person says neither yes nor no. */
export type AskTrust = (project: ProjectChoices, folder: string) => Promise<boolean | undefined>;

export interface UsedProject {
  path: string;
  folder: string;
  trusted: boolean;
  /** None when it is not trusted. */
  choices: Choices;
  lines: FileChoices["lines"];
  notices: readonly string[];
}

/** What a project's file would set. Rejects with a plain-words problem when there is something wrong with it. */
export async function readProject({ path, text }: ProjectFile): Promise<ProjectChoices> {
  return judgeProject(await readChoices(await parseYaml(path, text)));
}

export async function admitProject(file: ProjectFile, places: Places, ask: AskTrust | undefined): Promise<UsedProject> {
  const { path, folder } = file;
  const unused = (...notices: string[]): UsedProject => ({
    path,
    folder,
    trusted: false,
    choices: {},
    lines: {},
    notices,
  });
  const said = trustOf(places, folder, file.text);
  if (said === false) return unused();
  if (said === undefined && !ask)
    return unused(`${path} is not used: this folder is not trusted. See what it sets and trust it: interpreter trust`);
  try {
    const project = await readProject(file);
    const trusted = said ?? (await ask?.(project, folder));
    if (said === undefined && trusted !== undefined) keepTrust(places, folder, file.text, trusted);
    // Who was just asked has seen what is left out.
    return trusted ? { ...project, folder, trusted, notices: said ? project.refused : [] } : unused();
  } catch (error) {
    if (said || !(error instanceof InputProblem)) throw error;
    return unused(`${error.message}${error.hint ? ` ${error.hint}` : ""} The settings of this folder are not used.`);
  }
}
