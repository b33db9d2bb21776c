// What is said about sessions that were saved: a line for the person, a precise note for the model.

import type { KeptState } from "../../conversations/index.ts";
import type { Restored, SavedName } from "../../languages/index.ts";
import type { RanBlock } from "./blocks.ts";

/** What is known of a language's session before it starts again. */
export interface Before {
  language: string;
  /** What was saved of it, if anything was. */
  kept: KeptState | undefined;
  /** All blocks of it that ran. */
  blocks: readonly RanBlock[];
}

/** Whether there is nothing to say: its blocks ran, and left nothing in it. */
export const isEmpty = ({ kept, blocks }: Before): boolean =>
  kept !== undefined && kept.state.names.length === 0 && laterThan(kept, blocks) === 0;

const mostNamed = 80;
const mostLost = 4;

/** For the person, before the session starts. */
export function comingBack({ language, kept, blocks }: Before): string {
  if (!kept) return `${titleOf(language)}: what its blocks made is gone.`;
  const { back, gone } = sorted(kept.state.names);
  const later = laterThan(kept, blocks);
  const older = later > 0 ? ` It was saved before ${lastBlocks(later)} ran.` : "";
  return `${titleOf(language)}: ${counted(back)} ${back.length === 1 ? "comes" : "come"} back when it starts${lost(gone)}.${older}`;
}

/** For both, with the first block of the session that starts; nothing when there is nothing to say. */
export function isBack(language: string, names: readonly SavedName[], restored: Restored): string | undefined {
  if (names.length === 0 && restored.notes.length === 0) return undefined;
  const saved = new Map(names.map((each) => [each.name, each]));
  const there = new Set(restored.back);
  const gone = [
    ...names.filter((each) => each.gone !== undefined),
    ...restored.gone.map(({ name, gone: why }) => ({ type: "", ...saved.get(name), name, gone: why })),
  ];
  const back = names.filter(({ name }) => there.has(name));
  const older = restored.older.length > 0 ? ` As before the last blocks: ${restored.older.join(", ")}.` : "";
  const notes = restored.notes.map((note) => ` ${note}`).join("");
  return `${titleOf(language)}: ${counted(back)} ${back.length === 1 ? "is" : "are"} back${lost(gone)}.${older}${notes}`;
}

/** For the model, with the first message after the conversation was resumed. */
export function noteFor(
  sessions: readonly Before[],
  outcome: (language: string) => { gone?: readonly string[]; told: string | undefined } | undefined,
): string {
  const parts = ["The conversation was resumed in a new process. The sessions are new; files are as they were left."];
  for (const each of sessions.filter((session) => !isEmpty(session))) {
    const known = outcome(each.language);
    // What has been tried already is told as it came out.
    parts.push(...(known?.told && !known.gone ? [known.told] : noteOf(each)));
  }
  return `(${parts.join("\n")})`;
}

function noteOf({ language, kept, blocks }: Before): string[] {
  const title = titleOf(language);
  if (!kept) return [`${title}: variables, functions and imports from before are gone.`];
  const { back, gone } = sorted(kept.state.names);
  const lines = [
    back.length > 0
      ? `${title} has these back when its first block runs: ${list(back.map(described))}.`
      : `${title}: nothing could be kept.`,
  ];
  const stale = back.filter((each) => each.stale).map(({ name }) => name);
  if (stale.length > 0) lines.push(`May be older than they were: ${list(stale)}.`);
  if (gone.length > 0) lines.push(`Gone: ${list(gone.map(mourned))}.`);
  const later = laterThan(kept, blocks);
  if (later > 0) {
    const codes = blocks.slice(-later).map(({ code }) => `\`${firstLine(code)}\``);
    lines.push(
      `It was saved before ${lastBlocks(later)} ran (${list(codes)}): what ${later === 1 ? "it" : "they"} changed is older or missing.`,
    );
  }
  return lines;
}

/** How many of the blocks ran after it was saved. */
export function laterThan({ after }: KeptState, blocks: readonly RanBlock[]): number {
  return blocks.filter(({ at }) => at >= after).length;
}

function sorted(names: readonly SavedName[]): { back: SavedName[]; gone: SavedName[] } {
  return { back: names.filter(({ gone }) => gone === undefined), gone: names.filter(({ gone }) => gone !== undefined) };
}

/** "12 values and 2 modules". */
function counted(names: readonly SavedName[]): string {
  const modules = names.filter(({ type }) => type === "module").length;
  const values = names.length - modules;
  if (modules === 0) return many(values, "value");
  return values === 0 ? many(modules, "module") : `${many(values, "value")} and ${many(modules, "module")}`;
}

/** "; 2 are gone: conn (sqlite3.Connection), model (too big: 1.2 GB)". */
function lost(names: readonly SavedName[]): string {
  if (names.length === 0) return "";
  const some = names.slice(0, mostLost).map(({ name, type, gone }) => {
    const why = gone === "cannot be saved" && type ? type : gone;
    return `${name} (${why})`;
  });
  const more = names.length > some.length ? [`${names.length - some.length} more`] : [];
  return `; ${names.length} ${names.length === 1 ? "is" : "are"} gone: ${[...some, ...more].join(", ")}`;
}

function described({ name, type, size }: SavedName): string {
  return `${name} (${[type, size].filter(Boolean).join(type === "module" ? " " : ", ")})`;
}

function mourned({ name, type, gone, made }: SavedName): string {
  return `${name} (${type}, ${gone}${made ? `; made by \`${made}\`` : ""})`;
}

function list(items: readonly string[]): string {
  const more = items.length > mostNamed ? [`and ${items.length - mostNamed} more`] : [];
  return [...items.slice(0, mostNamed), ...more].join(", ");
}

const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

const lastBlocks = (count: number): string => (count === 1 ? "the last block" : `the last ${count} blocks`);

function firstLine(code: string): string {
  const [line = "", ...rest] = code.trim().split("\n");
  return line.length > 80 || rest.length > 0 ? `${line.slice(0, 80)} …` : line;
}

const titles: Record<string, string> = { javascript: "JavaScript", php: "PHP", sql: "SQL" };

export function titleOf(language: string): string {
  return titles[language] ?? `${language.slice(0, 1).toUpperCase()}${language.slice(1)}`;
}
