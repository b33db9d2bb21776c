// What a person is asked about is said in two ways: `approve`, and `auto_run`, a short word for one value of it. What one of
// them says, the other says too.

import type { Choices } from "./options/index.ts";
import { InputProblem } from "./problem.ts";

/** Choices of one place, with what they mean for the other of the two. `before`: what holds without them. */
export function agreeOnApproval(choices: Choices, before: Choices, isLine: boolean, where: string): Choices {
  const { approveWhat, autoRun } = choices;
  if (approveWhat === undefined && autoRun === undefined) return choices;
  const never = approveWhat === "never";
  if (approveWhat !== undefined && autoRun !== undefined && never !== autoRun) {
    const both = isLine
      ? `--approve ${approveWhat} and ${autoRun ? "-y" : "--auto_run=false"}`
      : `approve: ${approveWhat} and auto_run: ${autoRun} (${where})`;
    throw new InputProblem(`${both} say different things.`, "Say one of them: auto_run is the same as approve never.");
  }
  if (approveWhat !== undefined)
    return never || before.autoRun !== undefined ? { ...choices, autoRun: never } : choices;
  if (autoRun) return { ...choices, approveWhat: "never" };
  return before.approveWhat === "never" ? { ...choices, approveWhat: "code" } : choices;
}
