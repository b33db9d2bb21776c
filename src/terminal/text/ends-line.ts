// Whether the cursor stands at the beginning of a row when a text was written.

/** Colours may be put back after the last line break. */
export const endsLine = (text: string): boolean => /\n(?:\x1b\[[0-9;]*m)*$/.test(text);
