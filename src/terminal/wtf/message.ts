// What the model is asked about a command that failed.

import ask from "./ask.md";
import { withoutSecrets } from "./mask.ts";
import type { FailedCommand } from "./record.ts";

export interface Failure {
  shell: string;
  failed?: FailedCommand | undefined;
  facts: readonly string[];
  /** What it printed, as far as that is known. */
  output?: string | undefined;
  /** What the person says about it. */
  words: string;
}

/** Secrets are taken out of everything but what the person says now. */
export function askAbout({ shell, failed, facts, output, words }: Failure, env: NodeJS.ProcessEnv): string {
  const parts = [
    ask.trim().replace("{shell}", () => shell),
    ...(failed ? [`Command: ${failed.command}\nExit code: ${failed.code}\nFolder: ${failed.folder}`] : []),
    ...(facts.length > 0 ? [`Found by looking:\n${facts.map((fact) => `- ${fact}`).join("\n")}`] : []),
    ...(output ? [`It printed:\n${output}`] : failed ? ["What it printed is not known."] : []),
  ];
  const folder = failed?.folder ?? process.cwd();
  const masked = parts.map((part) => withoutSecrets(part, env, folder));
  return [...masked, ...(words ? [`I want to know: ${words}`] : [])].join("\n\n");
}
