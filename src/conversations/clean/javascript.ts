// What blocks of JavaScript need and make, by their syntax tree.

import { loadJavascriptNames } from "../../languages/index.ts";
import { type BlockFacts, nothing } from "./facts.ts";
import { placeOf } from "./places.ts";

export interface JavascriptFacts extends BlockFacts {
  /** The block as a program of its own. */
  program?: string;
}

export async function javascriptFacts(code: string, folder: string): Promise<JavascriptFacts> {
  const { javascriptNames } = await loadJavascriptNames();
  try {
    const names = await javascriptNames(code);
    const own = (list: readonly string[]) => list.map((name) => `javascript:${name}`);
    const filesRead = names.filesRead.map((path) => placeOf(path, folder));
    const filesMade = names.filesMade.map((path) => placeOf(path, folder));
    return {
      reads: [...own(names.reads), ...own(names.changes), ...filesRead.map((path) => `file:${path}`)],
      binds: [...own(names.declares), ...filesMade.map((path) => `file:${path}`)],
      changes: own(names.changes),
      filesRead,
      filesMade,
      doubt: names.unclear ? ["what it does beside its own names cannot be told"] : [],
      program: names.program,
    };
  } catch {
    return { ...nothing, doubt: ["it could not be read as JavaScript"] };
  }
}
