// What protects the folder, in a word for the status line and in a sentence for the start.

import type { Protection } from "../machine/index.ts";

type Facts = Pick<Protection, "kind" | "why">;

const words: Record<Protection["kind"], string> = {
  layer: "layer",
  checkpoint: "checkpoint",
  none: "no undo",
  "read-only": "read-only",
};

export const protectionWord = ({ kind }: Facts): string => words[kind];

/** Empty where all is as it should be: a layer, or nothing that could be changed. */
export function protectionLine({ kind, why }: Facts): string {
  const because = why ? ` ${why}` : "";
  if (kind === "checkpoint")
    return `What code does here can be taken back, by checkpoints instead of a write layer.${because}`;
  return kind === "none" ? `What code does here cannot be taken back.${because}` : "";
}
