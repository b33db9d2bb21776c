// The characters of a block: those that nobody sees, those that look like others, and long texts that nobody can read.

import type { Act } from "./act.ts";

/** Characters that change how the rest is shown, or are not shown at all. */
const unseen =
  /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060-\u2064\u00ad\ufeff\u{e0000}-\u{e007f}]|\u200c|\u200d/gu;
const turning = /[\u202a-\u202e\u2066-\u2069]/u;

type Letters = Extract<Act, { type: "letters" }>;

export function lettersOf(code: string): Letters[] {
  if (/^[\t\n\r\x20-\x7e]*$/.test(code)) return [];
  return code.split("\n").flatMap((text, index) => [...unseenIn(text, index + 1), ...lookAlikesIn(text, index + 1)]);
}

function unseenIn(text: string, line: number): Letters[] {
  for (const { 0: character, index } of text.matchAll(unseen)) {
    if (character === "\ufeff" && line === 1 && index === 0) continue;
    const before = [...text.slice(0, index)].at(-1) ?? "";
    const after = [...text.slice(index + character.length)][0] ?? "";
    // They join signs of pictures, and letters of scripts that are written joined.
    if (/[\u200c\u200d]/.test(character) && !/[\p{ASCII}]/u.test(before + after) && before !== "") continue;
    const what = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
    return [{ type: "letters", how: turning.test(character) ? "turned" : "unseen", line, what }];
  }
  return [];
}

/** Letters of other scripts that look like Latin ones, and Latin ones in disguise. */
const alike =
  /[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u0475\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u03bf\u039f\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u03a1\u03a4\u03a7]/u;
const dressed = /[\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d6a3}]/u;

function lookAlikesIn(text: string, line: number): Letters[] {
  for (const [word] of text.matchAll(/[\p{L}\p{N}_.-]{2,}/gu)) {
    const letters = [...word].filter((each) => /\p{L}/u.test(each));
    const foreign = letters.filter((each) => !/[A-Za-z]/.test(each));
    const mixed = foreign.length > 0 && foreign.length < letters.length && foreign.every((each) => alike.test(each));
    if (mixed || (foreign.length > 1 && foreign.every((each) => dressed.test(each))))
      return [{ type: "letters", how: "look-alike", line, what: word }];
  }
  return [];
}

/** Whether a text is an encoding of something longer, and no words. */
export function isEncoded({ text }: Extract<Act, { type: "literal" }>): boolean {
  const bare = text.replace(/\s/g, "");
  if (bare.length < 300 || /^(data:(image|font|audio|video)\/|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0)/.test(bare))
    return false;
  if (/^(\\x[0-9a-f]{2})+$/i.test(bare) || /^[0-9a-f]+$/i.test(bare)) return true;
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(bare)) return false;
  // Words keep to one case and have spaces; encodings use everything alike.
  const turns = bare.match(/[a-z][A-Z]|[A-Z][a-z]|[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
  return turns / bare.length > 0.3 && !/\s\w+\s/.test(text.trim());
}
