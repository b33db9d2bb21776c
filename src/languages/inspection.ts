// What a live session can say about itself: the names people gave to values, and how a half-written name could go on.
// Both come from inside the session, so they are checked before anybody uses them.

export interface Variable {
  name: string;
  type: string;
  /** How large it is, in its own terms: "120", "3 × 4". */
  size?: string;
  /** The beginning of the value, on one line. */
  preview?: string;
}

export interface Completion {
  matches: string[];
  /** The part of the code that a match replaces. */
  start: number;
  end: number;
}

/** The session is running a block, or did not answer in time. The message says so in plain words. */
export class SessionBusyError extends Error {
  override name = "SessionBusyError";
}

const mostVariables = 1_000;
const mostMatches = 500;

export function readVariables(value: unknown): Variable[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostVariables).flatMap((item: Partial<Record<keyof Variable, unknown>> | null) => {
    if (typeof item?.name !== "string" || typeof item.type !== "string") return [];
    const { name, type, size, preview } = item;
    return [
      {
        name: oneLine(name, 200),
        type: oneLine(type, 200),
        ...(typeof size === "string" && { size: oneLine(size, 100) }),
        ...(typeof preview === "string" && { preview: oneLine(preview, 200) }),
      },
    ];
  });
}

export function readCompletion(value: unknown, cursor: number): Completion {
  const { matches, start, end } = (typeof value === "object" && value !== null ? value : {}) as Partial<Completion>;
  const within = (at: unknown) => typeof at === "number" && Number.isInteger(at) && at >= 0 && at <= cursor;
  if (!Array.isArray(matches) || !within(start) || !within(end)) return { matches: [], start: cursor, end: cursor };
  const words = matches.filter((match): match is string => typeof match === "string" && match.length < 1_000);
  return { matches: words.slice(0, mostMatches), start: start!, end: end! };
}

function oneLine(text: string, longest: number): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
