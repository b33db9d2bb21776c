// Opens a folder of ours with the person's file manager, as flags of the original do.

import { mkdirSync } from "node:fs";
import { loadEmbedded } from "../models/index.ts";
import { places } from "../settings/index.ts";
import { openFile } from "./pictures/open.ts";

/** A sentence about what came of it. */
export async function openFolder(which: "profiles" | "models"): Promise<string> {
  const path = which === "profiles" ? places().profiles[0]! : (await loadEmbedded()).weightsFolder(process.env);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return (await openFile(path)).replace("The file is", "The folder is");
}
