// What walls refused is offered to the person: allowed for the next step, for the conversation, or always; and the model hears of it.

import { mkdirSync } from "node:fs";
import type { Offered } from "../agent/index.ts";
import type { Refused } from "../machine/index.ts";
import type { Scope, WrittenRule } from "../settings/index.ts";
import type { PathQuestion } from "./sandboxing.ts";

export interface Offering {
  ask(question: PathQuestion): Promise<Scope | "no">;
  /** Says in words what holds now, and what keeps it from holding at once. */
  allow(rule: WrittenRule, scope: Scope): Promise<{ words: string; problem?: string | undefined }>;
}

/** Each thing that would be allowed is asked about once. */
export async function offerPaths(refused: readonly Refused[], { ask, allow }: Offering): Promise<Offered> {
  const told: string[] = [];
  const problems: string[] = [];
  const offered = new Set<string>();
  let isAllowed = false;
  for (const { kind, path, allow: pattern, makes } of refused) {
    const key = `${kind} ${pattern}`;
    if (offered.has(key)) continue;
    offered.add(key);
    const said = await ask({ kind, path, allow: pattern });
    if (said === "no") {
      told.push(`The user does not let code ${kind} ${path}.`);
      continue;
    }
    const unmade = makes && make(path);
    const { words, problem } = await allow({ verdict: "allow", kind, pattern }, said);
    told.push(`The user allows it now. ${words}`);
    if (makes && !unmade) told.push(`The folder ${path} was made for it.`);
    if (unmade ?? problem) problems.push((unmade ?? problem)!);
    else isAllowed = true;
  }
  if (isAllowed) told.push("Run the block again, as far as it is still to be done.");
  return { told: [...told, ...problems], problems };
}

/** The person has said yes to this very name. Why not, in a sentence, where it cannot be. */
function make(folder: string): string | undefined {
  try {
    mkdirSync(folder);
    return undefined;
  } catch (error) {
    return `${folder} could not be made: ${(error as Error).message}.`;
  }
}
