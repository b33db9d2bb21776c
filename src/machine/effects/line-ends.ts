// How the lines of a text end, and two texts made comparable where that is all that differs.

export interface SameEnds {
  before: string;
  after: string;
  /** `line ends: LF → CRLF`; empty where they are the same. */
  words: string;
}

/** Where lines end differently everywhere, that is said once, and the texts are compared without it. */
export function sameEnds(before: string, after: string): SameEnds {
  const [old, young] = [endsOf(before), endsOf(after)];
  if (old === undefined || young === undefined || old === young) return { before, after, words: "" };
  return { before: withoutReturns(before), after: withoutReturns(after), words: `line ends: ${old} → ${young}` };
}

const withoutReturns = (text: string): string => text.replaceAll("\r\n", "\n");

/** Undefined where there is no whole line. */
function endsOf(text: string): "LF" | "CRLF" | "mixed" | undefined {
  const all = text.split("\n").length - 1;
  const returns = text.split("\r\n").length - 1;
  if (all === 0) return undefined;
  return returns === 0 ? "LF" : returns === all ? "CRLF" : "mixed";
}
