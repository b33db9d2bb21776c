// What taking steps back, or putting them back, does to files: which are gone then, which are there again, which are other ones.

import { join, relative } from "node:path";
import { type Effect, type Effects, plural } from "../../machine/index.ts";
import { foldWords } from "../text/fold-words.ts";
import { oneLine } from "./effects-line.ts";
import type { How } from "./undo-words.ts";

export interface Turned {
  changed: string[];
  back: string[];
  gone: string[];
}

interface Passage {
  label: string;
  /** Whether there is something at the path before and after. */
  from: boolean;
  to: boolean;
}

/** `steps` in the order in which it is done; of those only what is at these paths, where they are named. */
export function turnedBy(steps: readonly Effects[], how: How, paths?: ReadonlySet<string>): Turned {
  const passages = new Map<string, Passage>();
  const pass = (path: string, label: string, from: boolean, to: boolean): void => {
    if (paths && !paths.has(path)) return;
    const earlier = passages.get(path);
    passages.set(path, { label, from: earlier?.from ?? from, to });
  };
  for (const effect of steps.flatMap(({ files }) => files)) {
    const { path, change } = effect;
    const label = labelOf(effect);
    const [before, after] = [change !== "created" && change !== "renamed", change !== "deleted"];
    if (how === "undo") pass(path, label, after, before);
    else pass(path, label, before, after);
    if (change !== "renamed" || effect.from === undefined) continue;
    const old = join(path, relative(effect.name, effect.from));
    pass(old, oneLine(effect.from), how === "redo", how === "undo");
  }
  const all = [...passages.values()];
  const labels = (wanted: (passage: Passage) => boolean): string[] => all.filter(wanted).map(({ label }) => label);
  return {
    changed: labels(({ from, to }) => from && to),
    back: labels(({ from, to }) => !from && to),
    gone: labels(({ from, to }) => from && !to),
  };
}

function labelOf({ name, kind, files }: Effect): string {
  const count = kind === "folder" && files ? ` (${plural(files, "file")})` : "";
  return `${oneLine(name)}${count}`;
}

const words: Record<How, Record<"done" | "asked", Record<keyof Turned, string>>> = {
  undo: {
    done: { changed: "As before", back: "Brought back", gone: "Deleted" },
    asked: { changed: "Changes back", back: "Brings back", gone: "Deletes" },
  },
  redo: {
    done: { changed: "Changed again", back: "Put back", gone: "Deleted again" },
    asked: { changed: "Changes again", back: "Puts back", gone: "Deletes again" },
  },
};

const mostNamed = 8;

/** A line for each thing that becomes of files; each ends with a line break. */
export function* turnedLines(
  turned: Turned,
  how: How,
  when: "done" | "asked",
  columns = Number.POSITIVE_INFINITY,
): Generator<string> {
  for (const what of ["changed", "back", "gone"] as const) {
    const names = turned[what];
    if (names.length === 0) continue;
    const left = names.length - mostNamed;
    const named = names.slice(0, mostNamed).join(", ") + (left > 0 ? ` and ${left} more` : "");
    yield `${foldWords(`${words[how][when][what]}: ${named}`, columns - 1, 2)}\n`;
  }
}
