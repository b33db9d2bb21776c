export { checkMessage, checkMessages } from "./check.ts";
export { withoutEscapes } from "./escapes.ts";
export { createFolder, type Folder, foldChunks } from "./fold.ts";
export { createGrammar, type Grammar } from "./grammar.ts";
export { newId } from "./id.ts";
export { type Cell, forModelType, isTable, type Table, type TableColumn, tableIn, tableType } from "./table.ts";
export type * from "./types.ts";
