// Matches paths against patterns such as `*.py`, `src/**/test_?.ts` and `*.{js,ts}`, in time that grows only with the
// product of their lengths, whatever the pattern.

const mostAlternatives = 64;

export type Matches = (path: string) => boolean;

/** A pattern without a slash is about the name alone; one with a slash about the whole path. */
export function glob(pattern: string): Matches {
  const alternatives = alternativesOf(pattern.replace(/^\.\//, "")).map((each) => each.split("/"));
  return (path) => {
    const parts = path.split("/");
    return alternatives.some((segments) =>
      segments.length === 1 && segments[0] !== "**"
        ? matchSegment(segments[0]!, parts.at(-1)!)
        : matchParts(segments, parts),
    );
  };
}

function alternativesOf(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0 && done.length + open.length <= mostAlternatives) {
    const next = open.pop()!;
    const braces = /\{([^{}]*)\}/.exec(next);
    if (!braces) done.push(next);
    else {
      const [before, after] = [next.slice(0, braces.index), next.slice(braces.index + braces[0].length)];
      for (const choice of braces[1]!.split(",")) open.push(before + choice + after);
    }
  }
  return [...done, ...open];
}

/** Wildcards by going back to the last star only: enough, because a later star can do whatever an earlier one could. */
function matchWith<T, U>(
  pattern: readonly T[],
  items: readonly U[],
  isStar: (part: T) => boolean,
  fits: (part: T, item: U) => boolean,
): boolean {
  let [at, item, star, from] = [0, 0, -1, 0];
  while (item < items.length) {
    if (at < pattern.length && isStar(pattern[at]!)) [star, from, at] = [at, item, at + 1];
    else if (at < pattern.length && fits(pattern[at]!, items[item]!)) [at, item] = [at + 1, item + 1];
    else if (star !== -1) {
      from++;
      [at, item] = [star + 1, from];
    } else return false;
  }
  while (at < pattern.length && isStar(pattern[at]!)) at++;
  return at === pattern.length;
}

function matchParts(segments: readonly string[], parts: readonly string[]): boolean {
  return matchWith(segments, parts, (segment) => segment === "**", matchSegment);
}

function matchSegment(segment: string, name: string): boolean {
  return matchWith(
    tokensOf(segment),
    [...name],
    (token) => token === "*",
    (token, letter) =>
      token === "?" || (token.startsWith("[") && token.length > 1 ? inClass(token, letter) : token === letter),
  );
}

function tokensOf(segment: string): string[] {
  return segment.replace(/\*+/g, "*").match(/\[[!^]?\]?[^\]]*\]|[\s\S]/gu) ?? [];
}

function inClass(token: string, letter: string): boolean {
  const negated = /^\[[!^]/.test(token);
  const inside = [...token.slice(negated ? 2 : 1, -1)];
  let found = false;
  for (let at = 0; at < inside.length; at++) {
    if (inside[at + 1] === "-" && at + 2 < inside.length) {
      found ||= inside[at]! <= letter && letter <= inside[at + 2]!;
      at += 2;
    } else found ||= inside[at] === letter;
  }
  return found !== negated;
}
