// What a person can answer when a block waits to be run.

import type { Kind } from "./kinds.ts";

export interface Block {
  language: string;
  code: string;
  /** What it seems to do. */
  kinds: readonly Kind[];
}

/** What runs without asking. */
export interface AutoRun {
  /** Everything. */
  value: boolean;
  /** Blocks that do nothing but these. */
  kinds: Set<Kind>;
}

export type Decision =
  | { type: "run" }
  /** Run this one, and ask no more in this conversation: about blocks that do only these, or about none. */
  | { type: "always"; kinds?: readonly Kind[] }
  /** Run this code instead. */
  | { type: "edit"; code: string }
  /** Do not run it; `words`, when there are any, tell the model what to do instead and the turn goes on. */
  | { type: "refuse"; words?: string }
  /** There is nobody to ask. */
  | { type: "nobody" };

/** Decides before anybody is asked, or leaves it open. */
export type ApproveFirst = (block: Block, signal: AbortSignal) => Decision | undefined | Promise<Decision | undefined>;

export type Approve = (block: Block, signal: AbortSignal) => Promise<Decision>;
