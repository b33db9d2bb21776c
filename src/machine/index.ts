export { type Exit, localMachine, type Machine, type Process, type SpawnRequest } from "./local.ts";
