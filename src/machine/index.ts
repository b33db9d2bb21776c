export { type Exit, localMachine, type Machine, type Process, type SpawnRequest } from "./local.ts";
export { memoryOf } from "./memory.ts";
export { mostProcesses, watchProcesses } from "./process-limit.ts";
export { checkOnline, stayOnThisMachine } from "./stay-on-this-machine.ts";
export { openTerminalDevice, type TerminalDevice, terminalsInstalled } from "./terminal-device.ts";
export { isOnThisMachine } from "./this-machine.ts";
