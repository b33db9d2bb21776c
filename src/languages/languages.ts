// Every language there is, in the order they are offered.

import { javascript } from "./javascript/index.ts";
import type { Language } from "./language.ts";
import { python } from "./python/index.ts";
import { shellLanguages } from "./shell/index.ts";

export function allLanguages(env: NodeJS.ProcessEnv): Language[] {
  const [shell, ...otherShells] = shellLanguages(env);
  return [python, shell!, javascript, ...otherShells];
}
