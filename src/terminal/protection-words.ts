// What protects the folder, in a word for the status line and in a sentence for the start.

import { parse } from "node:path";
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

/** About folders that are larger than any task: the person's own, and the whole system. Empty for all others. */
export function placeLine({ kind }: Facts, cwd: string, home: string): string {
  if (cwd === parse(cwd).root)
    return "This is the whole system, and no folder to work in. Start in the folder of a project: what code does there can be taken back.";
  if (cwd !== home) return "";
  const back = kind === "layer" || kind === "checkpoint" ? "/undo takes back what it did" : "it cannot be taken back";
  return `This is your home folder: code may change whatever is in it (${back}). Better start in the folder of a project.`;
}
