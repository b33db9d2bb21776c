// Chance that can be had again.

export interface Random {
  /** From 0 up to, and without, `below`. */
  number(below: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}

export function openRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    number: (below) => Math.floor(next() * below),
    chance: (share) => next() < share,
    pick: (list) => list[random.number(list.length)]!,
  };
  return random;
}
