// One node of the tree that a step made other than it was: what the layer and the checkpoints hand to the store.

export interface NodeChange {
  /** Absolute, in the real tree. A name that is no UTF-8 is written as `textOf` in names.ts does. */
  path: string;
  /** `whole`: one thing is in the place of another (either may be absent). `mode`: nothing but the permissions of a file or folder. */
  how: "whole" | "mode";
  /** With `whole`: where the new thing lies, outside of the tree, until it is put in place. Absent: deleted, or already in place. */
  source?: string;
  /** The source is still used by somebody: it is copied and left where it is, instead of moved. */
  held?: boolean;
  /** With `whole`: where the old thing lies, when it is not in place any more. It is moved from there. */
  old?: string;
  /** The old thing is still used by somebody: it is copied and left where it is, instead of moved. */
  oldHeld?: boolean;
  /**
   * A file took the place of a file that has other names (hard links), and was not written into it: the other names keep what
   * they have. Otherwise a file with other names stays the same file and gets the new content, so that they all follow.
   */
  replaced?: boolean;
  /** Whether there was, and whether there will be, something at the path. */
  had: boolean;
  has: boolean;
  /** With `mode`. */
  modeBefore?: number;
  modeAfter?: number;
}
