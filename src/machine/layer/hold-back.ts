// Keeps what would run later as the person from becoming real: it is taken out of the layer before a step is kept.

import type { Effect } from "../effects/effect.ts";
import { nameOf } from "../effects/name.ts";
import { type Barred, type Bars, barredIn, barredSentences, type Changed } from "../sandbox/later.ts";
import { factsOf } from "../undo/facts.ts";
import { openAround } from "./access.ts";
import type { Covered, Inside } from "./inside.ts";
import type { LeftInside } from "./left.ts";
import type { Held } from "./members.ts";
import { isWithin } from "./mounts.ts";
import { type Caught, isWhiteout } from "./upper.ts";

export interface HoldBack {
  /** Those of what was caught, or what is in it. */
  find(caught: readonly Caught[], files?: readonly Effect[]): Barred[];
  takeOut(barred: readonly Barred[], held: Held, left: LeftInside): Promise<void>;
  sentences(barred: readonly Barred[]): string[];
}

export function openHoldBack(bars: Bars, covered: readonly Covered[], inside: Inside): HoldBack {
  const roots = covered.map(({ root }) => root);
  const real = (path: string): string | undefined => (isThere(path) ? path : undefined);
  const locate = (path: string): string | undefined => {
    if (!roots.some((root) => isWithin(path, root))) return real(path);
    const upper = inside.inUpper(path);
    const mine = safely(() => factsOf(upper));
    if (!mine) return real(path);
    return isWhiteout(mine) ? undefined : upper;
  };
  return {
    find(caught, files = []) {
      const sources = new Map(
        files.flatMap(({ path, change, beforePath }) => (change === "renamed" ? [[path, beforePath]] : [])),
      );
      const changed = caught.flatMap((each): Changed[] => {
        const { path, change, after, upper } = each;
        const from = sources.get(path);
        if (!after || !upper) return [];
        return [{ path, change, kind: after.kind, at: upper, ...(from && { from: { path: from, at: from } }) }];
      });
      const close = covered.map(({ upper }) =>
        openAround(
          upper,
          changed.map(({ at }) => at).filter((at) => isWithin(at, upper)),
        ),
      );
      try {
        return barredIn(changed, bars, locate);
      } finally {
        for (const each of close) each();
      }
    },
    async takeOut(barred, held, left) {
      for (const { path, from } of barred) {
        await inside.takeOut(path, held, left);
        if (from !== undefined) await inside.takeOut(from, held, left);
      }
    },
    sentences: (barred) => barredSentences(barred, (path) => nameOf(path, "file", roots)),
  };
}

const isThere = (path: string): boolean => safely(() => factsOf(path)) !== undefined;

/** What may not be looked at is not there. */
function safely<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
