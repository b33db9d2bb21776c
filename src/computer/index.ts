export { type ComputerOptions, createComputer } from "./dispatch.ts";
export {
  anything,
  ComputerFault,
  type ComputerFunction,
  type Context,
  computerFunction,
  flag,
  type Module,
  number,
  optional,
  text,
} from "./module.ts";
export { aboutFunctions, type HostFunction, type HostFunctions } from "./modules/functions.ts";
export { allModules } from "./modules/index.ts";

/** Patterns such as `*.csv`, for whoever chooses files by name. */
export const loadGlob = () => import("./files/glob.ts");
