export { chooseModel, NoModelProblem } from "./choose-model.ts";
export { type Computer, Interpreter, type InterpreterOptions, type RunOptions } from "./interpreter.ts";
