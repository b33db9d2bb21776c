// What the operations on a store share: where it is, which steps it has, and what is going on in it.

import { closeSync, mkdirSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { openPace, type Pace } from "../checkpoint/pace.ts";
import { readExpired } from "./budget.ts";
import { factsOf } from "./facts.ts";
import type { OnOperation } from "./hands.ts";
import { type Journal, openJournal } from "./journal.ts";
import { visibleNamesIn } from "./names.ts";
import { openTogether } from "./plan.ts";
import { readJson, type State, type StepRecord, writeJson } from "./record.ts";

export interface Workshop {
  readonly folder: string;
  readonly roots: readonly string[];
  readonly limit: number;
  readonly on: OnOperation | undefined;
  /** Of the operation that goes on. */
  pace: Pace;
  /** Bytes that steps take, as far as is known. */
  taken: number | undefined;
}

export interface WorkshopRequest {
  folder: string;
  roots: readonly string[];
  limit: number;
  onOperation?: OnOperation | undefined;
}

export const openWorkshop = ({ folder, roots, limit, onOperation }: WorkshopRequest): Workshop => ({
  folder,
  roots,
  limit,
  on: onOperation,
  pace: openPace(),
  taken: undefined,
});

interface Workspace {
  format: 1;
  roots: readonly string[];
  /** Something could not be renamed from the workspace to here, although both seem to be on one file system. */
  apart?: true;
}

const workspaceFile = ({ folder }: Workshop): string => join(folder, "workspace.json");
const workspaceOf = (shop: Workshop): Workspace | undefined => readJson<Workspace>(workspaceFile(shop));

export function describeWorkspace(shop: Workshop): void {
  const known = workspaceOf(shop);
  if (known && shop.roots.every((root) => known.roots.includes(root))) return;
  const roots = [...new Set([...shop.roots, ...(known?.roots ?? [])])];
  writeJson(workspaceFile(shop), { ...known, format: 1, roots } satisfies Workspace, shop.on);
}

export const isApart = (shop: Workshop): boolean => workspaceOf(shop)?.apart === true;

/** Whether things come from there and go back as copies. */
export function openApart(shop: Workshop): (path: string) => boolean {
  const all = isApart(shop);
  const isTogether = openTogether();
  return (path) => all || !isTogether(path, join(shop.folder, "steps"));
}

/**
 * Does it as if renaming were possible wherever the file systems' numbers are the same. Where it is not (one file system mounted
 * twice, folders of an image that a container lies over), that is noted, and it is done with copies.
 */
export async function withRenames(shop: Workshop, work: (apart: boolean) => Promise<void>): Promise<void> {
  const apart = isApart(shop);
  try {
    await work(apart);
  } catch (error) {
    if (apart || (error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    writeJson(workspaceFile(shop), { ...workspaceOf(shop)!, apart: true } satisfies Workspace, shop.on);
    await work(true);
  }
}

export const stepFolder = (shop: Workshop, number: number): string => join(shop.folder, "steps", String(number));

export const readStep = (shop: Workshop, number: number): StepRecord | undefined =>
  readJson<StepRecord>(join(stepFolder(shop, number), "step.json"));

/** Oldest first; without those that are dropped. */
export function readSteps(shop: Workshop): StepRecord[] {
  const expired = new Set(readExpired(shop.folder).map(({ number }) => number));
  return stepNumbers(shop)
    .filter((number) => !expired.has(number))
    .sort((one, other) => one - other)
    .flatMap((number) => readStep(shop, number) ?? []);
}

/** Numbers are not given twice. */
export function nextNumber(shop: Workshop): number {
  const expired = readExpired(shop.folder).map(({ number }) => number);
  return [...stepNumbers(shop, true), ...expired].reduce((most, number) => Math.max(most, number), 0) + 1;
}

function stepNumbers(shop: Workshop, alsoLeft = false): number[] {
  const names = visibleNamesIn(join(shop.folder, "steps"));
  return names.flatMap((name) => (alsoLeft || /^\d+$/.test(name) ? Number.parseInt(name, 10) || [] : []));
}

/** Something that is going on in a folder of the store: a file with a name of this kind says so, from before it begins until it is over. */
export interface Mark {
  kind: "steps" | "discards";
  name: string;
  /** What is to become of it. */
  state: State;
}

const markFile = (shop: Workshop, { kind, name, state }: Mark): string =>
  join(shop.folder, `moving.${kind}.${name}.${state}`);

export function marksIn(shop: Workshop): Mark[] {
  return visibleNamesIn(shop.folder).flatMap((file) => {
    const [, kind, name, state] = /^moving\.(steps|discards)\.(\w+)\.(\w+)$/.exec(file) ?? [];
    return kind ? [{ kind: kind as Mark["kind"], name: name!, state: state as State }] : [];
  });
}

export function unmark(shop: Workshop, mark: Mark): void {
  shop.on?.(`unmark ${mark.name}`);
  const file = markFile(shop, mark);
  if (factsOf(file)) unlinkSync(file);
}

/** The journal of something that begins. */
export function beginJournal(shop: Workshop, mark: Mark, problems: string[]): Journal {
  shop.on?.(`mark ${mark.name}`);
  closeSync(openSync(markFile(shop, mark), "w", 0o600));
  return journalOf(shop, mark, problems);
}

export function journalOf(shop: Workshop, { kind, name }: Mark, problems: string[]): Journal {
  const folder = join(shop.folder, kind, name);
  for (const part of [join(shop.folder, kind), folder, join(folder, "before"), join(folder, "after")])
    mkdirSync(part, { recursive: true, mode: 0o700 });
  return openJournal(folder, join(shop.folder, "gone"), problems, shop.on);
}
