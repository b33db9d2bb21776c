// Whether a step can be taken back, or put back, without touching what somebody changed since: looked at before anything is done.

import { dirname, sep } from "node:path";
import { sameContent } from "../checkpoint/copy.ts";
import type { Pace } from "../checkpoint/pace.ts";
import type { Version } from "../effects/effect.ts";
import { type Contents, differenceIn } from "./contents.ts";
import { factsOf, isAsPlaced, versionAt } from "./facts.ts";
import { contentsOf, readJson, type Side, type StepNode, type StepRecord, slotOf } from "./record.ts";
import { type Part, partsOf } from "./split.ts";
import { isRelated, type View } from "./view.ts";

export interface Conflict {
  path: string;
  why: string;
}

export interface CheckRequest {
  folder: string;
  record: StepRecord;
  to: Side;
  /** The tree as it will be by then; what this step changes is put into it. */
  view: View;
  roots: readonly string[];
  /** All steps, as they will be by then; only asked when there is a conflict. */
  steps: () => readonly StepRecord[];
  changedSince: "refuse" | "leave" | "overwrite";
  pace: Pace;
}

export interface Check {
  /** The nodes that change places; those behind the last one of the record are the parts. */
  moving: number[];
  conflicts: Conflict[];
  /** Of folders that are left in part: what goes. */
  parts: Part[];
}

export async function check(request: CheckRequest): Promise<Check> {
  const { folder, record, to, view, changedSince, pace } = request;
  const moving: number[] = [];
  const conflicts: Conflict[] = [];
  const parts: Part[] = [];
  const except = new Set(record.nodes.map(({ path }) => path));
  const indexes = record.nodes.flatMap(({ side }, index) => (side === to ? [] : [index]));
  for (const index of to === "before" ? indexes.reverse() : indexes) {
    if (pace.due()) await pace.rest();
    const node = record.nodes[index]!;
    const slot = slotOf(folder, to, index);
    const impossible = whyImpossible(node, slot, request);
    const found = impossible ?? (await look(node, slot, except, request, index));
    if (found === "already so") continue;
    const some =
      found !== undefined && impossible === undefined && changedSince === "leave"
        ? await partsIn(node, index, except, request)
        : undefined;
    if (some) {
      for (const { path, now, seen } of some.left) conflicts.push({ path, why: why(seen, request, path, now) });
      for (const part of some.parts) {
        moving.push(record.nodes.length + parts.push(part) - 1);
        view.put(part.node.path, undefined);
      }
      continue;
    }
    if (found !== undefined) conflicts.push({ path: node.path, why: found });
    if (impossible !== undefined || (found !== undefined && changedSince === "leave")) continue;
    moving.push(index);
    if (node.modes) view.setMode(node.path, node.modes[to]);
    else if (isWrittenInto(node, slot, view)) view.write(node.path, slot);
    else view.put(node.path, node.holds ? slot : undefined);
  }
  moving.sort((one, other) => one - other);
  return { moving, conflicts, parts };
}

/** What can go of a folder that is there, but not as it was put there. */
async function partsIn(node: StepNode, index: number, except: ReadonlySet<string>, request: CheckRequest) {
  const { folder, view: sight, pace } = request;
  const now = sight.version(node.path);
  const contents = now?.kind === "folder" ? readJson<Contents>(contentsOf(folder, index)) : undefined;
  if (!contents || !isAsPlaced(now, node.placed, sight.isCopied(node.path))) return undefined;
  return partsOf(node, contents, { sight, except, pace });
}

/** The file stays and gets the content of the other one. */
const isWrittenInto = ({ path, way, holds }: StepNode, slot: string, view: View): boolean =>
  way === "through" && holds && view.version(path)?.kind === "file" && versionAt(slot)?.kind === "file";

/** What cannot be done even to overwrite something. */
function whyImpossible(node: StepNode, slot: string, request: CheckRequest): string | undefined {
  if (node.holds && !factsOf(slot)) return "what is to come back is not where it was kept";
  const around = folderProblem(node.path, request);
  if (around !== undefined || !node.modes) return around;
  const now = request.view.version(node.path);
  if (now?.kind !== node.placed?.kind)
    return why(now ? "something else is there now" : "it was deleted since", request, node.path, now);
  return undefined;
}

/** Undefined: all is well. */
async function look(
  node: StepNode,
  slot: string,
  except: ReadonlySet<string>,
  request: CheckRequest,
  index: number,
): Promise<string | undefined> {
  const { view, to, pace, folder } = request;
  const { path, placed, modes } = node;
  const now = view.version(path);
  if (modes && now) {
    if (now.mode === modes[to]) return "already so";
    return now.mode === placed?.mode ? undefined : why("its permissions were changed since", request, path, now);
  }
  if (isAsPlaced(now, placed, view.isCopied(path))) {
    if (now?.kind !== "folder") return undefined;
    const contents = readJson<Contents>(contentsOf(folder, index));
    const difference = contents && (await differenceIn(path, contents, { sight: view, except, pace }));
    return difference && why(difference, request, path, now);
  }
  if (await isSameThing(now, view.locate(path), node.holds ? slot : undefined, pace)) return "already so";
  if (!now) return why("it was deleted since", request, path, now);
  if (!placed) return why(`something was put there since, at ${clock(now.modified)}`, request, path, now);
  const isMode = isAsPlaced({ ...now, mode: placed.mode }, placed, view.isCopied(path));
  if (isMode) return why("its permissions were changed since", request, path, now);
  return why(`changed since, at ${clock(now.modified)}`, request, path, now);
}

/** Somebody brought it back already. */
async function isSameThing(
  now: Version | undefined,
  location: string | undefined,
  slot: string | undefined,
  pace: Pace,
): Promise<boolean> {
  const wanted = slot === undefined ? undefined : versionAt(slot);
  if (!now || !wanted || location === undefined || slot === undefined) return !now && !wanted;
  if (now.kind !== wanted.kind || now.kind === "folder" || now.kind === "other") return false;
  if (now.kind === "link") return now.target === wanted.target;
  if (now.mode !== wanted.mode || now.size !== wanted.size) return false;
  return (await sameContent(location, slot, now.size, pace)) === true;
}

/** Nothing is put through a link that somebody made of a folder. */
function folderProblem(path: string, { roots, view }: CheckRequest): string | undefined {
  const root = roots.find((root) => path.startsWith(root + sep));
  if (root === undefined) return undefined;
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    const version = view.version(folder);
    if (version && version.kind !== "folder")
      return `${folder} is ${version.kind === "link" ? "a link" : "not a folder"} now`;
  }
  return undefined;
}

/** Another step, where one is to blame; else what was seen. */
function why(seen: string, request: CheckRequest, path: string, now: Version | undefined): string {
  const { record, to, steps } = request;
  const others = steps().filter(({ number, nodes }) => {
    if (number === record.number) return false;
    return nodes.some((node) => isRelated(node.path, path) || isSameFile(node.placed, now));
  });
  const isLater = (other: StepRecord): boolean =>
    other.since > record.since || (other.since === record.since && other.number > record.number);
  const later = others.findLast((other) => other.state === "kept" && isLater(other));
  if (later) return `step ${later.number} changed it later: undo that first`;
  const earlier = others.find((other) => other.state === "undone" && other.number < record.number);
  if (to === "after" && earlier) return `step ${earlier.number} came before it and is undone: redo that first`;
  return seen;
}

/** By another name. */
const isSameFile = (placed: Version | undefined, now: Version | undefined): boolean =>
  placed?.kind === "file" && now !== undefined && isAsPlaced(now, placed, false);

/** "14:02", or with the day where that is another one. */
function clock(modified: number): string {
  const date = new Date(modified);
  const two = (value: number): string => String(value).padStart(2, "0");
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return date.toDateString() === new Date().toDateString() ? time : `${time} on ${day}`;
}
