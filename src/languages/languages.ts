// Every language there is, in the order they are offered.

import { javascript } from "./javascript/index.ts";
import type { Language } from "./language.ts";
import { python } from "./python/index.ts";
import { shell } from "./shell/index.ts";

export function allLanguages(_env: NodeJS.ProcessEnv): Language[] {
  return [python, shell, javascript];
}
