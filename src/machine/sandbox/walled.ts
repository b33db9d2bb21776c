// Walls where there can be no write layer: processes are started inside, and whatever protects the files goes on doing so.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Protection } from "../effects/protection.ts";
import { startHolder } from "../layer/holder.ts";
import { whileStill } from "../layer/still.ts";
import { openSandbox, type SandboxRequest } from "./open.ts";
import { pendingWithout } from "./take-back.ts";

/** The same protection with walls around it, or a sentence where there can be none. */
export async function wallIn(protection: Protection, request: SandboxRequest): Promise<Protection | string> {
  const holder = await startHolder({ alone: true });
  if (typeof holder === "string") return holder;
  const scratch = mkdtempSync(join(tmpdir(), "interpreter-walls-"));
  for (const root of protection.roots) await holder.run("mount", "--rbind", root, root);
  const sandbox = await openSandbox(holder, request, protection.roots, join(scratch, "walls"), { layered: false });
  if (protection.kind === "read-only")
    for (const root of protection.roots) await holder.run("mount", "-o", "remount,bind,ro", root);
  if (typeof sandbox === "string") {
    holder.close();
    rmSync(scratch, { recursive: true, force: true });
    return sandbox;
  }
  /** The sessions' own processes. */
  const own = new Set<number>();
  return {
    ...bound(protection),
    sandbox,
    withoutSudo: true,
    enter(asked) {
      const [command, ...args] = holder.enter(asked.cwd);
      const env = { ...asked.env, ...sandbox.env };
      return {
        ...asked,
        command: command!,
        args: [...args, asked.command, ...asked.args],
        cwd: "/",
        env,
        onStart: (pid) => own.add(pid),
        ...(holder.numbers && { numbers: holder.numbers }),
      };
    },
    view: (path) => `/proc/${holder.pid}/root${path}`,
    async begin() {
      await sandbox.beside?.note();
      await protection.begin();
    },
    async pending() {
      const beside = await sandbox.beside?.takeBack();
      const left = await pendingWithout(protection, { bars: sandbox.bars, run: holder.run });
      const denied = [...(left.effects.denied ?? []), ...(beside?.denied ?? [])];
      const uncovered = [...left.effects.uncovered, ...(beside?.stays ?? [])];
      const effects = { ...left.effects, uncovered, ...(denied.length > 0 && { denied }) };
      const pending = { ...left, effects };
      if (pending.effects.files.length === 0) return pending;
      // No program inside puts a link where a folder was while this process goes there.
      return {
        ...pending,
        keep: (facts, only) => whileStill({ holder: holder.pid, own }, () => pending.keep(facts, only)),
        discard: () => whileStill({ holder: holder.pid, own }, () => pending.discard()),
      };
    },
    async close() {
      await protection.close();
      sandbox.close();
      holder.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** Its parts, which go on working without it. */
export function bound(protection: Protection): Protection {
  const { kind, why, roots } = protection;
  return {
    kind,
    ...(why !== undefined && { why }),
    roots,
    enter: (request) => protection.enter(request),
    view: (path) => protection.view(path),
    begin: () => protection.begin(),
    blockEnded: () => protection.blockEnded?.(),
    pending: () => protection.pending(),
    tooBig: (paths) => protection.tooBig(paths),
    close: () => protection.close(),
  };
}
