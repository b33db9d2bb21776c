// The seam behind which steps are transactions: a write layer, checkpoints where there can be none, or nothing.

import type { SpawnRequest } from "../local.ts";
import type { Sandbox } from "../sandbox/open.ts";
import type { Count } from "./counts.ts";
import type { Effects } from "./effect.ts";

/** Whose step it is, for the list of what can be undone. */
export interface StepFacts {
  /** The block's id, as messages have it. */
  id: string;
  language: string;
  /** The beginning of its code, for people. */
  code: string;
  /** The folder name of the conversation on disk, if it is kept, and the turn of it, counted from 1. */
  conversation?: string;
  turn?: number;
  /** What the person asked for in that turn, cut to a line. */
  asked?: string;
  /** How many files it is about, as it was told when it was kept. */
  counts?: readonly Count[];
}

/** What a block has changed, waiting to be kept or discarded. */
export interface Pending {
  readonly effects: Effects;
  /** Makes it permanent: all of it, or only the effects with these paths; the rest is dropped. Returns the step's number for undo, if it has one. */
  keep(facts: StepFacts, only?: readonly string[]): Promise<Kept>;
  /** Drops it: the files are as they were before the block. */
  discard(): Promise<Kept>;
}

export interface Kept {
  /** What `interpreter undo NUMBER` takes back; undefined where nothing was kept or it cannot be undone. */
  number?: number;
  /** What could not be done as asked, in sentences for person and model. */
  problems: readonly string[];
}

export interface Protection {
  /**
   * `layer`: effects are known before they are real. `checkpoint`: they can be taken back. `none`: they are only seen.
   * `read-only`: there are none.
   */
  readonly kind: "layer" | "checkpoint" | "none" | "read-only";
  /** Why it is not the layer, in a sentence, where it is not. */
  readonly why?: string;
  /** Whether nobody can become an administrator inside. */
  readonly withoutSudo?: boolean;
  /** The walls around it, where there are any. */
  readonly sandbox?: Sandbox;
  /** The folders it watches over. */
  readonly roots: readonly string[];
  /** The same process, started where it is protected. */
  enter(request: SpawnRequest): SpawnRequest;
  /** Where this process finds what a session sees at that path. */
  view(path: string): string;
  /** Before a block: what was changed from outside since the last one is taken note of. Cheap when it was called a moment ago. */
  begin(): Promise<void>;
  /** The moment in which a block ends: what is started from now on is not its doing. */
  blockEnded?(): void;
  /** After a block. */
  pending(): Promise<Pending>;
  /** What an output says of things that cannot be done here and could elsewhere, in sentences. */
  hintsIn?(output: string): readonly string[];
  /** What could not be undone if it were changed, in sentences, of files that some code names: said before it runs. */
  tooBig(paths: readonly string[]): readonly string[];
  close(): Promise<void>;
}
