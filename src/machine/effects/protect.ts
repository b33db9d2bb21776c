// Chooses what protects a workspace: the write layer where there can be one, checkpoints where not, and nothing where that is wanted.

import { accessSync, constants, mkdirSync, realpathSync } from "node:fs";
import { endHolder, startHolder } from "../layer/holder.ts";
import type { SandboxRequest } from "../sandbox/open.ts";
import type { UndoStore } from "../undo/store.ts";
import type { Protection } from "./protection.ts";

export interface ProtectRequest {
  /** The working folder, and further folders. */
  folders: readonly string[];
  /** Where what undo needs is kept. */
  data: string;
  /** `auto` prefers the layer. */
  wanted: "auto" | "checkpoint" | "off";
  /** Nothing may be written at all. */
  plan: boolean;
  /** Bytes that undo may take. */
  limit: number;
  /** Whether the person is asked before a step is kept. */
  asks: boolean;
  /** The walls around code, where there are to be any. */
  sandbox?: SandboxRequest | undefined;
}

export interface Protected {
  protection: Protection;
  /** What was found from a process that had been killed, and what became of it: sentences for the person. */
  news: readonly string[];
  /** Why there are no walls although they were asked for, in a sentence. */
  openBecause?: string;
}

export async function protect(request: ProtectRequest): Promise<Protected> {
  const { sandbox } = request;
  const opened = await protectFiles(request);
  if (!sandbox || opened.protection.sandbox) return opened;
  const { wallAround } = await import("../sandbox/around.ts");
  const walled = await wallAround(opened.protection, sandbox).catch((error: Error) => `${error.message}.`);
  if (typeof walled === "string") return { ...opened, openBecause: walled };
  return { protection: walled, news: [...opened.news, ...(walled.sandbox?.news ?? [])] };
}

async function protectFiles(request: ProtectRequest): Promise<Protected> {
  const { wanted, limit, asks, data, sandbox } = request;
  const roots = outermost(request.folders);
  if (request.plan) {
    const { openReadOnly } = await import("../layer/read-only.ts");
    const closed = await openReadOnly(roots);
    if (typeof closed === "object") return { protection: closed, news: [] };
  }
  // What takes longest is begun first.
  const holder =
    wanted === "auto" && process.platform === "linux" ? startHolder({ alone: sandbox !== undefined }) : undefined;
  if (wanted === "off") return watchOnly(roots, "It was switched off.");
  const { openUndoStore } = await import("../undo/store.ts");
  let store: UndoStore;
  let news: string[];
  try {
    store = openUndoStore({ data, roots, limit });
    mkdirSync(store.folder, { recursive: true, mode: 0o700 });
    accessSync(store.folder, constants.W_OK);
    news = await store.recover();
  } catch (error) {
    endHolder(holder);
    return watchOnly(roots, `What undo needs cannot be kept: ${(error as Error).message}.`);
  }
  let why = "Checkpoints were asked for.";
  if (wanted === "auto") {
    const [{ openLayer }, { takeUpAbandoned }] = await Promise.all([
      import("../layer/open.ts"),
      import("../layer/abandoned.ts"),
    ]);
    news.push(...(await takeUpAbandoned(store, limit)));
    // A layer without the walls that it was to have would keep others from being put up.
    const layer = await openLayer({ roots, store, limit, asks, through: [data], sandbox, holder });
    if (typeof layer === "object") return { protection: layer, news };
    why = layer;
  }
  if (roots.includes("/")) return watchOnly(roots, why, news);
  const { openCheckpoint } = await import("../checkpoint/index.ts");
  return { protection: openCheckpoint({ roots, store, limit, why, data }), news };
}

async function watchOnly(roots: readonly string[], why: string, news: readonly string[] = []): Promise<Protected> {
  const { openWatch } = await import("../checkpoint/index.ts");
  return { protection: openWatch({ roots, why }), news };
}

/** Real paths, without those that lie in another one. */
export function outermost(folders: readonly string[]): string[] {
  const real = [...new Set(folders.map((folder) => realpathSync(folder)))];
  return real.filter((folder) => !real.some((other) => other !== folder && folder.startsWith(`${other}/`)));
}
