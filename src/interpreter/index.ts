export type { AskBudget } from "./accounts.ts";
export { type AnswerEnd, NoAnswer } from "./answer.ts";
export { NoModelProblem } from "./choose-model.ts";
export { TurnFailed } from "./collect.ts";
export type { Deliverable, Deliverables } from "./deliverables/turn-files.ts";
export { Interpreter } from "./interpreter.ts";
export type { AskKey } from "./open-model.ts";
export type { InterpreterOptions, RunOptions } from "./options.ts";
export type { Profile } from "./profile.ts";
export type { Computer } from "./run-code.ts";
export type { Schema } from "./schema/schema.ts";
export type { AskRunAgain, RunAgainOffer } from "./state/index.ts";
export type { Undone, UndoOptions } from "./workspace.ts";

/** Loaded only when a profile is code, or the profile is `fast`. */
export const loadGiven = () => import("./given.ts");
export const loadQuickModel = () => import("./quick-model.ts");

/** Loaded only by those who want an answer that follows a schema. */
export const loadAnswerSchema = () => import("./answer-schema.ts");
