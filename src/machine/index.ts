export { type Effect, type Effects, type LeftRunning, noEffects, type Version } from "./effects/effect.ts";
export type { Kept, Pending, Protection, StepFacts } from "./effects/protection.ts";
export { type Exit, localMachine, type Machine, type Process, type SpawnRequest } from "./local.ts";
export { memoryOf } from "./memory.ts";
export { mostProcesses, watchProcesses } from "./process-limit.ts";
export { checkOnline, stayOnThisMachine } from "./stay-on-this-machine.ts";
export { openTerminalDevice, type TerminalDevice, terminalsInstalled } from "./terminal-device.ts";
export { isOnThisMachine } from "./this-machine.ts";
export type { NodeChange } from "./undo/change.ts";
