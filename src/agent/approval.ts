// What a person can answer when a block waits to be run.

import type { Effects } from "../machine/index.ts";
import type { Kind } from "./kinds.ts";
import type { Finding } from "./safety/finding.ts";

export interface Block {
  language: string;
  code: string;
  /** What it seems to do. */
  kinds: readonly Kind[];
  /** What a look at its code has found, with safe mode; the worst first. */
  findings?: readonly Finding[];
  /** Why it is asked about although nothing else would ask, in words that can stand after "because". */
  because?: string;
}

/** What runs without asking. */
export interface AutoRun {
  /** Everything. */
  value: boolean;
  /** Blocks that do nothing but these. */
  kinds: Set<Kind>;
  /** The person is asked about effects before they are kept, instead of about code. */
  effects: boolean;
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

/** When the person is asked: before code runs, when it is known what it did, or not at all. */
export type ApproveWhat = "code" | "effects" | "never";

/** A block has run, and what it did is not kept yet. */
export interface EffectsQuestion {
  language: string;
  code: string;
  /** The block's id. */
  id: string;
  effects: Effects;
  /** False where the effects are real already and discarding means to take them back (checkpoints). */
  held: boolean;
  /** Whether discarding brings back what the session's variables were. */
  variables: boolean;
}

export type EffectsDecision =
  /** All of it, or only the effects with these paths. */
  | { type: "keep"; only?: readonly string[] }
  /** Keep it, and ask no more in this conversation. */
  | { type: "always" }
  /** `words`, when there are any, tell the model what to do instead and the turn goes on. */
  | { type: "discard"; words?: string }
  | { type: "nobody" };

export type ApproveEffects = (question: EffectsQuestion, signal: AbortSignal) => Promise<EffectsDecision>;

/** Content of an `effects` chunk: what a step did, and what became of it. */
export interface EffectsReport {
  effects: Effects;
  decision: "kept" | "some" | "discarded";
  /** The paths that were kept, with `some`. */
  kept?: readonly string[];
  /** What `undo` takes back. */
  number?: number;
  /** What could not be done as asked. */
  problems: readonly string[];
}
