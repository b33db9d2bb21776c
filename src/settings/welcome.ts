// Whether somebody starts for the first time, and the mark that they did.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "./options/index.ts";
import { places } from "./places.ts";
import { replaceFile } from "./replace-file.ts";

const markOf = (env: NodeJS.ProcessEnv): string => join(places(env).data, "welcomed");

/** Nothing was chosen yet, and nobody was asked. */
export function isNew({ model, apiBase, local, plain }: Settings, env: NodeJS.ProcessEnv): boolean {
  if (model || apiBase || local || plain || env.CI) return false;
  return !existsSync(markOf(env)) && !existsSync(join(places(env).config, "settings.yaml"));
}

/** Where the mark cannot be written, the question comes again. */
export function rememberWelcome(env: NodeJS.ProcessEnv = process.env): void {
  try {
    replaceFile(markOf(env), "");
  } catch {
    // Not worth a word.
  }
}
