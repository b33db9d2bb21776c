export type { Approve, Block, Decision } from "./approval.ts";
export { type Ask, runStep, type StepRequest } from "./step.ts";
export { type PromptRequest, systemPrompt } from "./system-prompt.ts";
export { runTurn, type TurnEnd, type TurnRequest } from "./turn.ts";
