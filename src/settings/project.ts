// What a folder brings along for whoever works in it: settings in .interpreter/settings.yaml, and AGENTS.md for the model.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
import { readPlainFile } from "./plain-file.ts";

/** More than this is no list of settings. */
const longestSettings = 100_000;
/** Bytes of one AGENTS.md that the model reads. */
const longestInstructions = 16_384;

export interface ProjectFile {
  path: string;
  /** The folder it is about. */
  folder: string;
  text: string;
}

/**
 * The folders of the project that the working folder is in, innermost first: up to the one with .git. Where there is none, up to
 * the home folder, without it; and outside of that, the working folder alone.
 */
export function projectFolders(cwd: string, env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME ?? homedir();
  const folders = [cwd];
  for (let folder = cwd; !existsSync(join(folder, ".git")); ) {
    const above = dirname(folder);
    if (folder === home || above === home) return folders;
    if (above === folder) return cwd.startsWith(home + sep) ? folders : [cwd];
    folder = above;
    folders.push(folder);
  }
  return folders;
}

/** The nearest one counts, alone. Above the working folder, a file of another user's counts as none. */
export function findProjectSettings(folders: readonly string[]): ProjectFile | undefined {
  for (const folder of folders) {
    const path = join(folder, ".interpreter", "settings.yaml");
    const file = readPlainFile(path, longestSettings);
    if (file && (file.own || folder === folders[0])) return { path, folder, text: file.bytes.toString("utf8") };
  }
  return undefined;
}

/** Whether there is something for the model to read. */
export const hasInstructions = (cwd: string, env: NodeJS.ProcessEnv): boolean =>
  projectFolders(cwd, env).some((folder) => existsSync(join(folder, "AGENTS.md")));

/** What each AGENTS.md says, outermost first, as it is told to the model. */
export function readInstructions(folders: readonly string[]): string[] {
  return folders.toReversed().flatMap((folder) => {
    const path = join(folder, "AGENTS.md");
    const file = readPlainFile(path, longestInstructions);
    const text = file?.bytes
      .toString("utf8")
      .replace(/\uFFFD+$/, "")
      .trim();
    if (!file || !text || !(file.own || folder === folders[0])) return [];
    const cut = file.size > longestInstructions;
    const note = cut ? `\n\n(Cut here: the file has ${file.size} bytes. Read the rest of it when you need it.)` : "";
    return [`Instructions of this project, from ${path}:\n\n${text}${note}`];
  });
}
