// Where what code does to files is real at once: what would run later as the person is taken back when the block has ended.

import { chmodSync, constants, copyFileSync, renameSync, utimesSync } from "node:fs";
import { resolve } from "node:path";
import { newId } from "../../messages/index.ts";
import { openAnchored } from "../anchored.ts";
import type { Effect } from "../effects/effect.ts";
import { nameOf } from "../effects/name.ts";
import type { Pending, Protection } from "../effects/protection.ts";
import { versionOf } from "../effects/version.ts";
import { raw } from "../undo/names.ts";
import { type Barred, type Bars, barredIn, barredSentences, type Changed } from "./later.ts";

export interface TakeBackRequest {
  bars: Bars;
  /** Runs a command within the walls: there it can be led astray to nothing that code may not write. Resolves with what went wrong. */
  run(...command: readonly string[]): Promise<string | undefined>;
}

/** What is pending without it; what was taken back is told. */
export async function pendingWithout(protection: Protection, { bars, run }: TakeBackRequest): Promise<Pending> {
  const pending = await protection.pending();
  const { files } = pending.effects;
  const changed = files.flatMap((effect) => changedBy(effect, protection.roots));
  const barred = barredIn(changed, bars, (path) => (versionOf(path) ? path : undefined));
  if (barred.length === 0) return pending;
  const failed: Barred[] = [];
  for (const each of barred) if (!(await takeBack(each, files, run))) failed.push(each);
  const again = await protection.pending();
  const denied = barredSentences(
    barred.filter((each) => !failed.includes(each)),
    (path) => nameOf(path, "file", protection.roots),
  );
  const stays = failed.map(
    ({ path }) => `${path} could not be taken back. Look at it before you start a shell or use git.`,
  );
  const uncovered = [...again.effects.uncovered, ...stays];
  return { ...again, effects: { ...again.effects, uncovered, ...(denied.length > 0 && { denied }) } };
}

function changedBy(effect: Effect, roots: readonly string[]): Changed[] {
  const { path, change, after, afterPath, from, beforePath } = effect;
  if (!after) return [];
  const at = { at: beforePath!, loose: true };
  const source = from === undefined || !beforePath ? undefined : { path: resolve(roots[0]!, from), ...at };
  return [{ path, change, kind: after.kind, at: afterPath ?? path, ...(source && { from: source }) }];
}

/** False where there is nothing to put back, or it cannot be. */
async function takeBack(
  { path, from }: Barred,
  files: readonly Effect[],
  run: TakeBackRequest["run"],
): Promise<boolean> {
  const effect = files.find((each) => each.path === path);
  if (from !== undefined) return (await run("mv", "-T", "--", path, from)) === undefined;
  if (effect?.change === "mode") return (await run("chmod", effect.before!.mode.toString(8), "--", path)) === undefined;
  if (effect?.change === "changed" && !canPutBack(effect)) return false;
  if ((await run("rm", "-rf", "--", path)) !== undefined) return false;
  if (effect?.change !== "changed") return true;
  if (effect.before!.kind === "link") return (await run("ln", "-s", "--", effect.before!.target!, path)) === undefined;
  try {
    putBack(effect);
    return true;
  } catch {
    return false;
  }
}

const canPutBack = ({ before, beforePath }: Effect): boolean =>
  before?.kind === "link" ? before.target !== undefined : before?.kind === "file" && beforePath !== undefined;

/** In one moment, with its permissions and its time. */
function putBack({ path, before, beforePath }: Effect): void {
  using place = openAnchored({ root: "/", path });
  const draft = `${place.path.slice(0, place.path.lastIndexOf("/"))}/.${newId()}`;
  copyFileSync(raw(beforePath!), draft, constants.COPYFILE_EXCL);
  chmodSync(draft, before!.mode);
  utimesSync(draft, before!.modified / 1_000, before!.modified / 1_000);
  renameSync(draft, raw(place.path));
}
