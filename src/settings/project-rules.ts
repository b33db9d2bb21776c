// What a project may set for whoever trusts it, and what it may not: nothing that takes away a question, spends more money, sends
// words, code or keys somewhere else, or runs inside this program.

import type { FileChoices } from "./files.ts";
import { settable } from "./find-option.ts";
import type { Choices } from "./options/index.ts";

/** A setting that is not named here is the person's own to choose, and so is one that is new. */
const allowed = new Set<string>([
  "model",
  "temperature",
  "maxTokens",
  "contextWindow",
  "reasoningEffort",
  "offline",
  "maskSecrets",
  "neverSend",
  "llmSupportsFunctions",
  "llmSupportsVision",
  "plan",
  "sandbox",
  "customInstructions",
  "projectInstructions",
  "codeOutputTemplate",
  "emptyCodeOutputTemplate",
  "codeOutputSender",
  "executionInstructions",
  "loop",
  "loopMessage",
  "loopBreakers",
  "maxOutput",
  "maxSteps",
  "timeLimit",
  "python",
  "kernels",
  "customLanguages",
  "images",
  "plain",
] satisfies (keyof Choices)[]);

const elsewhere = "it says where words, code and keys are sent";
const money = "it says what may be spent";
const reasons: Readonly<Record<string, string>> = {
  apiKey: "keys are yours",
  apiBase: elsewhere,
  apiVersion: elsewhere,
  machine: elsewhere,
  autoRun: "it takes away the question before code runs",
  approveWhat: "it takes away the question before code runs",
  workspace: "it says which of your folders are watched",
  undoSpace: "it says how much can be undone",
  layer: "it says whether anything can be undone",
  maxBudget: money,
  monthlyBudget: money,
  profile: "a profile can be code",
  systemMessage: "it takes the place of what keeps the model careful",
  userMessageTemplate: "it changes what you say",
  alwaysApplyUserMessageTemplate: "it changes what you say",
};

export const mayBeSetByProject = (name: string): boolean => allowed.has(name);

export interface ProjectChoices extends FileChoices {
  /** One line for each that was left out. */
  refused: readonly string[];
}

export function judgeProject({ path, choices, lines }: FileChoices): ProjectChoices {
  const refused: string[] = [];
  const taken = Object.entries(choices).filter(([name, value]) => {
    const why = refusal(name, value);
    if (why) refused.push(`${path}:${lines[name]}: ${flagOf(name)} is not for a project to set: ${why}.`);
    return !why;
  });
  return { path, choices: Object.fromEntries(taken) as Choices, lines, refused };
}

function refusal(name: string, value: unknown): string | undefined {
  if (!allowed.has(name)) return reasons[name] ?? "it is yours alone to choose";
  if ((name === "offline" || name === "plan" || name === "maskSecrets") && value === false)
    return "it may only be turned on";
  if (name === "sandbox" && value !== "strict") return "it may only be made strict";
  if (name === "projectInstructions" && value === true) return "it may only be turned off";
  if (name === "customLanguages" && (value as NonNullable<Choices["customLanguages"]>).some(({ module }) => module))
    return "a module would run inside this program";
  return undefined;
}

const flagOf = (name: string): string => settable.find((option) => option.name === name)?.flag ?? "languages";
