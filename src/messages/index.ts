export type * from "./types.ts";
export { checkMessage, checkMessages } from "./check.ts";
export { createFolder, foldChunks, type Folder } from "./fold.ts";
export { createGrammar, type Grammar } from "./grammar.ts";
