// A folder that is protected as an interpreter protects it, with live sessions in it whose blocks are steps.

import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Language, Session } from "../src/languages/index.ts";
import {
  loadProtect,
  loadUndo,
  localMachine,
  type Pending,
  type Protection,
  type ProtectRequest,
  protectedMachine,
  type SandboxRequest,
} from "../src/machine/index.ts";

export const facts = { id: "block", language: "shell", code: "…" };
const limit = 5e9;

export interface Workspace {
  readonly folder: string;
  readonly protection: Protection;
  start(language: Language): Promise<Session>;
  /** A block, until it is known what it did. */
  step(session: Session, code: string): Promise<Pending>;
  undo(number: number): Promise<void>;
  close(): Promise<void>;
}

/** `base` is a folder for this workspace alone: files are in `work`, what undo needs beside them. */
export async function openWorkspace(base: string, wanted: ProtectRequest["wanted"], walls = false): Promise<Workspace> {
  const [folder, data] = [join(base, "work"), join(base, `data-${wanted}${walls ? "-walls" : ""}`)];
  mkdirSync(folder, { recursive: true });
  const { protect } = await loadProtect();
  const sandbox = walls ? wallsOf(base, data) : undefined;
  const opened = await protect({ folders: [folder], data, wanted, plan: false, limit, asks: false, sandbox });
  const { protection, openBecause } = opened;
  const expected = { auto: "layer", checkpoint: "checkpoint", off: "none" }[wanted];
  if (protection.kind !== expected || openBecause !== undefined) {
    await protection.close();
    throw new Error(`There is no ${walls ? "sandbox" : expected} here: ${openBecause ?? protection.why}`);
  }
  const machine = protectedMachine(localMachine, async () => protection);
  const python = process.env.INTERPRETER_TEST_PYTHON ?? join(import.meta.dirname, "../.venv/bin/python");
  return {
    folder,
    protection,
    start: (language) => language.start({ machine, cwd: folder, env: process.env, python }),
    async step(session, code) {
      await protection.begin();
      await run(session, code);
      protection.blockEnded?.();
      return protection.pending();
    },
    async undo(number) {
      const { openUndoStore } = await loadUndo();
      const { done } = await openUndoStore({ data, roots: [realpathSync(folder)], limit }).undo([number]);
      if (done.length !== 1) throw new Error(`Step ${number} was not undone.`);
    },
    close: () => protection.close(),
  };
}

export async function run(session: Session, code: string): Promise<void> {
  for await (const event of session.run(code, "<block>"))
    if (event.type === "error") throw new Error(`The block failed: ${JSON.stringify(event)}`);
}

/** Around a home with some secrets in it, as most have. */
function wallsOf(base: string, data: string): SandboxRequest {
  const home = join(base, "home");
  for (const name of [".ssh", ".aws", ".config/gh", ".docker", ".cache"])
    mkdirSync(join(home, name), { recursive: true });
  return {
    level: "workspace",
    env: process.env,
    home,
    config: join(home, ".config/open-interpreter"),
    data,
    ours: [join(import.meta.dirname, "../src")],
    allowWrite: [],
    allowRead: [],
    denyRead: [],
    judge: async () => "deny" as const,
  };
}
