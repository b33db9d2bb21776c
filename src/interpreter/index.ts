export { chooseModel, NoModelProblem } from "./choose-model.ts";
export { TurnFailed } from "./collect.ts";
export { type Computer, Interpreter } from "./interpreter.ts";
export type { InterpreterOptions, RunOptions } from "./options.ts";
