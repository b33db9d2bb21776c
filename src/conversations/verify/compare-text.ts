// Whether two outputs say the same: numbers may differ by rounding; addresses, durations and the clock by anything.

/** Relative difference of two numbers that counts as rounding. */
const tolerance = 1e-6;

export interface Circumstances {
  /** Where it ran: the path is another one each time. */
  folder: string;
  /** When it ran: a time within is taken for the clock's. */
  from: Date;
  to: Date;
}

/** Undefined when they are the same; otherwise the first lines that are not. */
export function textDifference(
  recorded: string,
  now: string,
  then: Circumstances,
  here: Circumstances,
): { recorded: string; now: string } | undefined {
  const [before, after] = [settled(recorded, then), settled(now, here)];
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const [one, other] = [before[at], after[at]];
    if (one === undefined || other === undefined || !sameLine(one, other))
      return { recorded: one ?? "(nothing)", now: other ?? "(nothing)" };
  }
  return undefined;
}

/** Lines without what differs from run to run. */
export function settled(text: string, circumstances: Circumstances): string[] {
  const plain = text
    .replaceAll(circumstances.folder, ".")
    .replace(/\r\n?/g, "\n")
    .replace(/\b0x[0-9a-f]{4,}\b/gi, "0x…")
    .replace(/<(block|cell) \d+>/g, "<$1>")
    .replace(/The whole output is in \S+/g, "The whole output is in a file")
    // A warning names the place in the code, which is another one.
    .replace(/^\S*:\d+: \w*Warning:[^\n]*\n(?: {2}[^\n]*\n)?/gm, "")
    // A bar of progress says how fast it was.
    .replace(/^[^\n]*\b\d+(?:\.\d+)?\s?(?:it\/s|s\/it)\b[^\n]*$/gm, "")
    .replace(/^(CPU times|Wall time):[^\n]*$/gm, "")
    .replace(clock, (time) => (isClock(time, circumstances) ? "(the time)" : time))
    .replace(durations, "$1(some time)");
  return plain
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}

const clock = /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g;
const durations =
  /((?:\b(?:took|elapsed|duration|wall time|cpu times?|runtime|finished in|done in|time)\b[^\n\d]{0,20}))\d+(?:[.,:]\d+)*\s?(?:ns|µs|us|ms|s|secs?|seconds|min|minutes|h)\b(?:\s?±[^\n]*)?/gi;

/** Whatever its zone, it is as late as the run was. */
function isClock(time: string, { from, to }: Circumstances): boolean {
  const at = Date.parse(time.replace(" ", "T").replace(",", "."));
  const day = 14 * 3_600_000;
  return Number.isFinite(at) && at >= from.getTime() - day && at <= to.getTime() + day;
}

const number = /([-+]?(?:\d+(?:[.,]\d+)*)(?:[eE][-+]?\d+)?)/;

export function sameLine(one: string, other: string): boolean {
  if (one === other) return true;
  const [mine, theirs] = [one.split(number), other.split(number)];
  // Rounded numbers may be wider or narrower: spaces do not count.
  const bare = (text: string): string => text.replace(/[\s|─-]/g, "");
  return (
    mine.length === theirs.length &&
    mine.every((piece, index) => {
      const against = theirs[index]!;
      return index % 2 === 1 ? sameNumber(piece, against) : piece === against || bare(piece) === bare(against);
    })
  );
}

function sameNumber(one: string, other: string): boolean {
  if (one === other) return true;
  const isWhole = (text: string): boolean => /^[-+]?\d+$/.test(text);
  if (isWhole(one) && isWhole(other)) return false;
  const [a, b] = [Number(one.replaceAll(",", "")), Number(other.replaceAll(",", ""))];
  return (
    Number.isFinite(a) &&
    Number.isFinite(b) &&
    Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b)) + 1e-12
  );
}
