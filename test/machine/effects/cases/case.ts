// What a case is: something that must hold of every protection, whoever runs it.

import type { Effects } from "../../../../src/machine/effects/effect.ts";
import type { ProtectRequest } from "../../../../src/machine/effects/protect.ts";
import { ProtectedFolder } from "../../../support/protected-folder.ts";

export type Opening = Partial<ProtectRequest> & {
  base?: string;
  name?: string;
  prepare?: (folder: string) => void;
};

/** Opens a folder that is protected in the way that is tried. */
export type Open = (options?: Opening) => Promise<ProtectedFolder>;

export interface Case {
  name: string;
  /** Only the layer knows effects before they are real, and can tell its view from the tree. */
  layerOnly?: true;
  /** What the administrator alone can set up. */
  rootOnly?: true;
  run(open: Open): Promise<void>;
}

export type Way = "layer" | "checkpoint";

export const opener =
  (way: Way): Open =>
  async (options = {}) => {
    const folder = await ProtectedFolder.open({ wanted: way === "layer" ? "auto" : "checkpoint", ...options });
    if (folder.protection.kind === way) return folder;
    const { why } = folder.protection;
    await folder[Symbol.asyncDispose]();
    throw new Error(`There is no ${way} here: ${why}`);
  };

/** "created a.txt", "renamed b.txt from a.txt": in the order of their names. */
export const told = ({ files }: Effects): string[] =>
  files.map(({ change, name, from }) => `${change} ${name}${from === undefined ? "" : ` from ${from}`}`).sort();
