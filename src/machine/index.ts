export { openAnchored } from "./anchored.ts";
export { watchConnections } from "./connections.ts";
export { bytes } from "./effects/bytes.ts";
export { addUp, type Count, type Counted, countsOf, countsText, totalOf } from "./effects/counts.ts";
export type { DescribedEffect } from "./effects/describe-effect.ts";
export type { Description } from "./effects/describe-file.ts";
export { type Effect, type Effects, type LeftRunning, noEffects, type Version } from "./effects/effect.ts";
export { namedPaths } from "./effects/named-paths.ts";
export { plural } from "./effects/plural.ts";
export type { Protected, ProtectRequest } from "./effects/protect.ts";
export type { Kept, Pending, Protection, StepFacts } from "./effects/protection.ts";
export { asideFolder } from "./effects/rank.ts";
export { summaryOf } from "./effects/summary.ts";
export { findTool, isWrittenByCode } from "./find-tool.ts";
export { type HeldFolder, holdFolder } from "./held-folder.ts";
export { type Exit, localMachine, type Machine, type Process, type SpawnRequest } from "./local.ts";
export { type Holder, holderOf, type Lock, takeLock, theProcess } from "./lock.ts";
export { memoryOf } from "./memory.ts";
export { protectedMachine } from "./protected-machine.ts";
export type { Sandbox, SandboxRequest } from "./sandbox/open.ts";
export type { Refused } from "./sandbox/refusals.ts";
export type { Registries } from "./sandbox/registries.ts";
export type { Walls } from "./sandbox/walls.ts";
export { checkOnline, stayOnThisMachine } from "./stay-on-this-machine.ts";
export { openTerminalDevice, type TerminalDevice, terminalsInstalled } from "./terminal-device.ts";
export { isOnThisMachine } from "./this-machine.ts";
export type { NodeChange } from "./undo/change.ts";
export { leaveNote, takeNotes, undoNote } from "./undo/notes.ts";
export type { UndoResult, UndoStep, UndoStore, UndoStoreRequest } from "./undo/store.ts";

/** Descriptions of files and effects, and differences between texts: needed when there is something to show. */
export const loadDescribing = () => import("./effects/describing.ts");
/** What protects a workspace: needed with the first session. */
export const loadProtect = () => import("./effects/protect.ts");

/** Which workspace a folder belongs to: asked by a command of the shell. */
export const loadFindWorkspace = () => import("./effects/find-workspace.ts");

/** What steps replaced, and taking them back: needed when a step is kept or undone. */
export const loadUndo = () => import("./undo/store.ts");

/** Which package registries the person's own tools use: needed with a sandbox, and by those who look at rules. */
export const loadRegistries = () => import("./sandbox/registries.ts");

/** What a sandbox lets code do, as data: for those who look at rules. */
export const loadWalls = () => import("./sandbox/walls.ts");
export { type Limits, type LimitsWatch, watchLimits } from "./limits.ts";
