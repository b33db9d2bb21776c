// All that is shown and asked when steps are taken back or put back, loaded together when that is wanted.

export { checkStep, lastTurn, lastUndone } from "./last-turn.ts";
export { turnedBy, turnedLines } from "./turned.ts";
export { undoFields, undoJson, undoTable, undoTableHead } from "./undo-table.ts";
export { askConflicts, conflictLines, resultLines } from "./undo-words.ts";
