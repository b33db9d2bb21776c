export type {
  Approve,
  ApproveEffects,
  ApproveFirst,
  ApproveWhat,
  AutoRun,
  Block,
  Decision,
  EffectsDecision,
  EffectsQuestion,
  EffectsReport,
} from "./approval.ts";
export { type Budget, type BudgetLimits, createBudget, type OverBudget, usedUp } from "./budget.ts";
export type { CompactRequest } from "./context/compact.ts";
export { ContextWindow } from "./context/window.ts";
export { type Offered, runKeptStep, type Transaction } from "./kept-step.ts";
export { type Kind, kindsOf } from "./kinds.ts";
export type { LoopMode } from "./loop-mode.ts";
export { notRun } from "./reply.ts";
export type { Finding } from "./safety/finding.ts";
export type { Ask, StepRequest } from "./step.ts";
export { type PromptRequest, systemPrompt } from "./system-prompt.ts";
export { runTurn, type TurnEnd, type TurnRequest } from "./turn.ts";

/** Loaded when they are needed, which most conversations never do. */
export const loadCompact = () => import("./context/compact.ts");
export const loadSafety = () => import("./safety/index.ts");
export const loadExplain = () => import("./explain.ts");
