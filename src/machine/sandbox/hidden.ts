// What is hidden, and may be seen later: a hidden place as a whole, or single things in it, for as long as they are allowed.

import type { Holder } from "../layer/holder.ts";
import { isWithin } from "../layer/mounts.ts";
import { carryOut, may, must, type Step } from "./mounting.ts";
import { hide, hideAround } from "./raise.ts";
import type { Walls } from "./walls.ts";

export interface Hidden {
  /** Resolves with why not, in words, or with undefined. */
  show(path: string): Promise<string | undefined>;
  hide(path: string): Promise<void>;
}

export interface HiddenRequest {
  holder: Holder;
  walls: Walls;
  /** What is seen of hidden folders from the start. */
  stays: readonly string[];
  /** What is put in the place of files. */
  blank: string;
  /** An empty folder that code cannot write, and that nothing hides. */
  aside: string;
}

export function openHidden({ holder, walls, stays, blank, aside }: HiddenRequest): Hidden {
  const isAround = (place: string): boolean => stays.some((each) => each !== place && isWithin(each, place));
  /** For each hidden place: what is seen of it, and how many mounts hide it. */
  const places = new Map<string, { seen: Set<string>; mounts: number }>();

  const placeOf = (path: string): string | undefined =>
    walls.hidden
      .filter((place) => isWithin(path, place))
      .sort((one, other) => one.length - other.length)
      .find((place) => !isAround(place));

  async function change(place: string, then: (seen: Set<string>) => void): Promise<string | undefined> {
    const state = places.get(place) ?? { seen: new Set<string>(), mounts: 1 };
    places.set(place, state);
    then(state.seen);
    // On top of all else: nothing is seen in between.
    if (state.seen.size === 0) {
      state.mounts++;
      return carryOut(holder, [must(hide(place, blank))]);
    }
    const steps: Step[] = Array.from({ length: state.mounts }, () => must({ do: "detach", at: place }));
    state.mounts = 0;
    if (state.seen.has(place)) return carryOut(holder, steps);
    state.mounts = 1;
    const problem = await carryOut(holder, [...steps, ...hideAround(place, [...state.seen], aside)]);
    // Nothing of it is left half hidden.
    if (problem !== undefined) {
      state.seen.clear();
      await carryOut(holder, [may({ do: "detach", at: aside }), must(hide(place, blank))]);
    }
    return problem;
  }

  return {
    async show(path) {
      const place = placeOf(path);
      if (place !== undefined) return change(place, (seen) => seen.add(path));
      return walls.hidden.some((each) => isWithin(path, each))
        ? `what is seen with the level ${walls.level} is so from the start`
        : undefined;
    },
    async hide(path) {
      const place = placeOf(path);
      if (place !== undefined) await change(place, (seen) => seen.delete(path));
    },
  };
}
