// What the program's end tells a program that started it.

import type { TurnEnd } from "../agent/index.ts";

export const exitCodes: Record<TurnEnd, number> = {
  done: 0,
  failed: 1,
  refused: 0,
  nobody: 3,
  limit: 4,
  budget: 5,
  interrupted: 130,
};
