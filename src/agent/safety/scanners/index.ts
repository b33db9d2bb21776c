// Scanners that people install themselves: asked beside our own look, and left alone where they are not there.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../../languages/index.ts";
import { isWrittenByCode } from "../../../machine/index.ts";
import type { SafetyEnvironment } from "../environment.ts";
import type { Finding } from "../finding.ts";

export interface Scanner {
  program: string;
  languages: readonly string[];
  scan(block: { language: string; code: string }, how: ScannerRequest): Promise<Omit<Finding, "excerpt">[]>;
}

export interface ScannerRequest {
  /** The program. */
  path: string;
  /** A folder for this look only. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  milliseconds: number;
  signal?: AbortSignal;
}

const all: readonly { program: string; languages: readonly string[]; load(): Promise<Scanner> }[] = [
  { program: "bandit", languages: ["python"], load: async () => (await import("./bandit.ts")).bandit },
  {
    program: "semgrep",
    languages: ["python", "javascript", "shell"],
    load: async () => (await import("./semgrep.ts")).semgrep,
  },
];

/** What they found; nothing of one that is missing, fails or takes too long. */
export async function askScanners(
  block: { language: string; code: string },
  { cwd: folder, env, milliseconds = 8_000, signal }: SafetyEnvironment,
): Promise<Omit<Finding, "excerpt">[]> {
  const there = all.flatMap(({ program, languages, load }) => {
    const path = languages.includes(block.language) ? findProgram([program], env) : undefined;
    // It runs without walls: one in the folder that is worked in may be what an earlier block has made of it.
    return path && !isWrittenByCode(path, folder) ? [{ path, load }] : [];
  });
  if (there.length === 0) return [];
  const cwd = await mkdtemp(join(tmpdir(), "interpreter-look-"));
  try {
    const asked = there.map(async ({ path, load }) =>
      (await load()).scan(block, { path, cwd, env: { ...env, HOME: cwd }, milliseconds, ...(signal && { signal }) }),
    );
    return (await Promise.allSettled(asked)).flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
