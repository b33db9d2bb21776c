// What a session can write down of itself, so that another process can go on where it was: the names in it, what of them could be
// kept, and what its language needs to bring them back. It comes from inside, so it is checked.

/** How much may be written, in bytes: one value, and all of them. */
export interface Room {
  value: number;
  total: number;
}

export interface SavedName {
  name: string;
  type: string;
  size?: string;
  /** Why it was not kept; absent where it was. */
  gone?: string;
  /** There was no time to look at it again: it may have changed since. */
  stale?: true;
  /** The statement that made it. */
  made?: string;
}

export interface SavedState {
  /** What saved it, which alone can bring it back: "cpython 3.11 in /usr". */
  by: string;
  /** The program it was in, where another one would not bring it back. */
  program?: string;
  names: SavedName[];
  /** The files that belong to it, by name, each with the SHA-256 of what is in it. */
  files: Record<string, string>;
  /** How much room its values take, in bytes. */
  bytes: number;
  /** For its language alone. */
  details: unknown;
}

export interface RestoreRequest {
  /** Where the files are. */
  folder: string;
  state: SavedState;
  /** Blocks that ran after it was saved: what they wrote, changed or deleted comes back as it was before them. */
  later: readonly string[];
}

export interface Restored {
  /** Names that are back. */
  back: string[];
  /** Names that were saved and could not be brought back, each with the reason. */
  gone: { name: string; gone: string }[];
  /** Names that are back as they were before the last blocks. */
  older: string[];
  /** Whole sentences about what else is not as it was. */
  notes: string[];
}

/** What a block does to the names of its session, read from its code. */
export interface BlockFacts {
  written: string[];
  read: string[];
  /** Names whose values it works on: `x[0] = 1`, `x.append(1)`, `x += 1`. */
  changed: string[];
  deleted: string[];
  /** Names of modules: calling something in them does not change them. */
  modules: string[];
}

/** Saving or bringing back did not work; the message says why, in plain words. */
export class StateError extends Error {
  override name = "StateError";
  /** It may work at the next try. */
  readonly again: boolean;

  constructor(message: string, again = false) {
    super(message);
    this.again = again;
  }
}

const mostNames = 5_000;

export function readSavedState(value: unknown): SavedState {
  const { by, program, names, files, bytes, details } = told(value);
  if (typeof by !== "string" || !Array.isArray(names)) throw new StateError("The session did not say what it saved.");
  return {
    by: line(by),
    ...(typeof program === "string" && { program }),
    names: names.slice(0, mostNames).flatMap(readName),
    files: Object.fromEntries(
      Object.entries(Object(files)).filter(
        ([name, hash]) => /^[\w-]+(\.[\w-]+)*$/.test(name) && typeof hash === "string",
      ) as [string, string][],
    ),
    bytes: typeof bytes === "number" ? bytes : 0,
    details,
  };
}

export function readRestored(value: unknown): Restored {
  const { back, gone, older, notes } = told(value);
  return {
    back: texts(back),
    gone: (Array.isArray(gone) ? gone : []).flatMap((each: { name?: unknown; gone?: unknown } | null) =>
      typeof each?.name === "string" ? [{ name: line(each.name), gone: line(String(each.gone)) }] : [],
    ),
    older: texts(older),
    notes: texts(notes),
  };
}

export function readBlockFacts(value: unknown, count: number): BlockFacts[] {
  const { blocks } = told(value);
  const facts = (Array.isArray(blocks) ? blocks : []) as Partial<BlockFacts>[];
  return Array.from({ length: count }, (_, at) => {
    const { written, read, changed, deleted, modules } = Object(facts[at]) as Partial<BlockFacts>;
    return {
      written: texts(written),
      read: texts(read),
      changed: texts(changed),
      deleted: texts(deleted),
      modules: texts(modules),
    };
  });
}

const texts = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((each) => typeof each === "string").map(line) : [];

/** What was answered, or the problem that was told instead. */
function told(value: unknown): Record<string, unknown> {
  const answer = Object(value) as Record<string, unknown>;
  if (typeof answer.problem === "string") throw new StateError(line(answer.problem), answer.again === true);
  return answer;
}

function readName(value: Partial<Record<keyof SavedName, unknown>> | null): SavedName[] {
  if (typeof value?.name !== "string" || typeof value.type !== "string") return [];
  const { name, type, size, gone, stale, made } = value;
  return [
    {
      name: line(name),
      type: line(type),
      ...(typeof size === "string" && { size: line(size) }),
      ...(typeof gone === "string" && { gone: line(gone) }),
      ...(stale === true && { stale }),
      ...(typeof made === "string" && { made: line(made) }),
    },
  ];
}

function line(text: string): string {
  const words = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return words.length <= 300 ? words : `${words.slice(0, 299)}…`;
}
