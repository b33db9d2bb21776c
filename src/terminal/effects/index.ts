export type { How } from "./undo-words.ts";

/** The question about effects; asked only with `approve: effects`. */
export const loadAskEffects = () => import("./ask-effects.ts");

/** Taking back and putting back. */
export const loadUndoing = () => import("./undoing.ts");

/** What steps did, on the screen and in the pager. */
export const loadShowing = () => import("./showing.ts");
