// What a person searches for: words that must all occur, phrases in quotes; capitals do not matter. And how a word looks in the
// bytes of a log, where text is UTF-8 in JSON.

/** One word or phrase, folded. */
export interface Term {
  text: string;
  /** Finds every place of a log, read as Latin-1, that may have it; now and then one that has not. */
  pattern: RegExp;
}

export function readQuery(written: string): Term[] {
  const texts = [...written.matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([word, phrase]) => fold(phrase ?? word));
  return [...new Set(texts)].filter((text) => text.trim() !== "").map((text) => ({ text, pattern: patternFor(text) }));
}

/** Text in which capitals do not matter: one character for one, whatever stands beside it. */
export const fold = (text: string): string =>
  text.replace(/[\u0130\u212aΣς]/g, (character) => special[character]!).toLowerCase();

/** The dotted I of Turkish, the sign of the kelvin and the sigmas, which otherwise depend on what is beside them. */
const special: Record<string, string> = { "\u0130": "i", "\u212a": "k", Σ: "σ", ς: "σ" };

function patternFor(text: string): RegExp {
  const inJson = JSON.stringify(text).slice(1, -1);
  return new RegExp([...inJson].map(bytesOf).join(""), "gi");
}

/** The ways in which a folded character can stand in a log. */
function bytesOf(character: string): string {
  if (/[\0-\x7f]/.test(character)) {
    const others = Object.keys(special).filter((each) => special[each] === character);
    return others.length === 0 ? escaped(character) : `(?:${character}|${others.map(asBytes).join("|")})`;
  }
  unfolded ??= makeUnfolded();
  return `(?:${[character, ...(unfolded.get(character) ?? [])].map(asBytes).join("|")})`;
}

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");

const asBytes = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");

/** For each character those that become it when folded. Made when somebody searches for more than ASCII. */
let unfolded: Map<string, string[]> | undefined;

function makeUnfolded(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (let code = 0x80; code < 0x20000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const folded = fold(character);
    if (folded !== character) found.set(folded, [...(found.get(folded) ?? []), character]);
  }
  return found;
}
