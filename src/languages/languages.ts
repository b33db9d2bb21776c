// Every language there is, in the order they are offered.

import type { CustomLanguage } from "../settings/index.ts";
import { applescript } from "./applescript/index.ts";
import { customLanguage } from "./custom/index.ts";
import { html, react } from "./html/index.ts";
import { java } from "./java/index.ts";
import { javascript } from "./javascript/index.ts";
import { julia } from "./julia/index.ts";
import type { Language } from "./language.ts";
import { lua } from "./lua/index.ts";
import { perl } from "./perl/index.ts";
import { php } from "./php/index.ts";
import { powershell } from "./powershell/index.ts";
import { python } from "./python/index.ts";
import { r } from "./r/index.ts";
import { ruby } from "./ruby/index.ts";
import { shellLanguages } from "./shell/index.ts";
import { sql } from "./sql/index.ts";

/** Those of the person's own come last; one with the name of ours takes its place. */
export function allLanguages(
  env: NodeJS.ProcessEnv,
  described: readonly (CustomLanguage | Language)[] = [],
): Language[] {
  const [shell, ...otherShells] = shellLanguages(env);
  const ours = [python, shell!, javascript, r, ruby, java, julia, sql, html, react, applescript, powershell]
    // On Windows PowerShell is the shell already.
    .filter(({ name }) => !shell!.aliases.includes(name));
  const quiet = [...otherShells, perl, php, lua];
  const own = described.map((each) => ("start" in each ? each : customLanguage(each)));
  const taken = new Set(own.map(({ name }) => name));
  return [...[...ours, ...quiet].filter(({ name }) => !taken.has(name)), ...own];
}
