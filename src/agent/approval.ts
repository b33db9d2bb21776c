// What a person can answer when a block waits to be run.

export interface Block {
  language: string;
  code: string;
}

export type Decision =
  | { type: "run" }
  /** Run this one, and ask no more in this conversation. */
  | { type: "always" }
  /** Run this code instead. */
  | { type: "edit"; code: string }
  /** Do not run it; `words`, when there are any, tell the model what to do instead and the turn goes on. */
  | { type: "refuse"; words?: string }
  /** There is nobody to ask. */
  | { type: "nobody" };

export type Approve = (block: Block, signal: AbortSignal) => Promise<Decision>;
