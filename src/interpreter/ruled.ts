// What the person's rules say of running a block: of its language, and of the commands of a shell.

import { openRules, type Rules, type Verdict } from "../settings/index.ts";

const strictness: readonly Verdict[] = ["allow", "ask", "deny"];

/** The strictest of what they say; undefined where no rule speaks of it. */
export async function judgeBlock(
  rules: Rules,
  { language, code }: { language: string; code: string },
): Promise<{ verdict: Verdict; because: string; rule?: string } | undefined> {
  if (!rules.list().some(({ kind }) => kind === "command" || kind === "language")) return undefined;
  const judgements = [rules.judge({ kind: "language", name: language })];
  if (/^(shell|bash|zsh|sh|fish)$/.test(language)) {
    const { splitCommands } = await openRules();
    for (const { words } of code.split("\n").flatMap((line) => splitCommands(line).commands))
      judgements.push(rules.judge({ kind: "command", words }));
  }
  return judgements
    .filter(({ rule }) => rule !== undefined)
    .sort((one, other) => strictness.indexOf(other.verdict) - strictness.indexOf(one.verdict))[0];
}
