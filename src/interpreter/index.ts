export { chooseModel, NoModelProblem } from "./choose-model.ts";
export { type Computer, Interpreter, type InterpreterOptions, type RunOptions, TurnFailed } from "./interpreter.ts";
