// How many there are of something, in words.

/** 1 file, 12 files, 1,204 files. */
export const plural = (count: number, what: string): string => `${thousands(count)} ${what}${count === 1 ? "" : "s"}`;

/** 1204 as 1,204. */
export const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
