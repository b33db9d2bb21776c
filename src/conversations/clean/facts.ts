// What is known of a block without running it, whatever its language.

export interface BlockFacts {
  /** What it needs: `python:df`, `file:data.csv`, `random:numpy`. */
  reads: string[];
  /** What it makes anew, whatever was there before. */
  binds: string[];
  /** What it changes, or perhaps makes: what was there before is needed, too. */
  changes: string[];
  /** Files by their path from the working folder; others by their whole path. */
  filesRead: string[];
  filesMade: string[];
  /** Why it cannot be judged by its text, in words that follow "Kept:". */
  doubt: string[];
  network?: boolean;
  /** It asks for the time, or for something that is never twice the same. */
  clock?: boolean;
}

export const nothing: BlockFacts = { reads: [], binds: [], changes: [], filesRead: [], filesMade: [], doubt: [] };
