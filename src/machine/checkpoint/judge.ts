// Tells what a difference between two looks at a tree is: a change of content, of permissions, or nothing that anybody minds.

import type { Effect } from "../effects/effect.ts";
import { sameContent } from "./copy.ts";
import type { Mirror } from "./mirror.ts";
import { type Node, nodeFrom, takeFacts } from "./node.ts";
import type { Pace } from "./pace.ts";
import { type Fresh, isFresh } from "./saving.ts";
import { type Difference, factsOf, targetOf } from "./walk.ts";

export interface Change {
  path: string;
  change: Exclude<Effect["change"], "renamed">;
  before?: Node;
  after?: Node;
}

export interface Judged {
  changes: Change[];
  /** Folders whose content changed in a way that cannot be told. */
  unknown: string[];
  /** Folders that belong to somebody else now. */
  owners: string[];
  /** Files that were written anew with what they had: their time is another one. */
  touched: { path: string; before: Node; after: Node }[];
}

export interface JudgeRequest {
  mirror: Mirror;
  pace: Pace;
  fresh: Fresh;
}

export async function judge(differences: readonly Difference[], request: JudgeRequest): Promise<Judged> {
  const judged: Judged = { changes: [], unknown: [], owners: [], touched: [] };
  const seen = new Set<string>();
  for (const difference of differences) {
    const { path, before, after, unknown } = difference;
    seen.add(path);
    if (unknown) {
      judged.unknown.push(path);
      continue;
    }
    const change = await changeOf(difference, request);
    if (change) judged.changes.push({ path, change, ...(before && { before }), ...(after && { after }) });
    if ((!change || change === "mode") && before?.kind === "file" && after && before.mtime !== after.mtime)
      judged.touched.push({ path, before, after });
    if (before?.kind === "folder" && after?.kind === "folder" && !sameOwner(before, after)) judged.owners.push(path);
  }
  for (const { path, before, after } of await changedUnseen(request, seen)) {
    judged.changes.push({ path, change: "changed", before, after });
  }
  return judged;
}

async function changeOf(difference: Difference, request: JudgeRequest): Promise<Change["change"] | undefined> {
  const { path, before, after } = difference;
  if (!before) return "created";
  if (!after) return "deleted";
  if (before.kind !== after.kind) return "changed";
  if (before.kind === "link") return before.target === after.target ? undefined : "changed";
  if (before.kind === "file") {
    if (!(await isSameInside(path, before, after, request))) return "changed";
    if (!sameOwner(before, after)) return "changed";
    // Its other names are not names of it any more.
    if (before.inode !== after.inode && (before.links > 1 || after.links > 1)) return "changed";
  }
  if (before.mode !== after.mode) return before.kind === "other" ? undefined : "mode";
  const isSame = before.mtime === after.mtime && before.inode === after.inode;
  if (before.kind === "file" && isSame) acceptFacts(path, before, after, request.fresh);
  return undefined;
}

/** What is saved of it is still right: there is no need to save it again. */
export function acceptFacts(path: string, before: Node, after: Node, fresh: Fresh): void {
  takeFacts(before, after);
  if (isFresh(before, Date.now())) fresh.set(before, path);
}

const sameOwner = (one: Node, other: Node): boolean => one.uid === other.uid && one.gid === other.gid;

/** More than this is not read only to find that somebody wrote the same again. */
const mostRead = 256 * 1024 * 1024;

/** Whether a file that was touched has the content that it had. */
export async function isSameInside(
  path: string,
  before: Node,
  after: Node,
  { mirror, pace }: Pick<JudgeRequest, "mirror" | "pace">,
): Promise<boolean> {
  if (before.size !== after.size) return false;
  const looksSame = before.mtime === after.mtime && before.inode === after.inode;
  if (!before.saved || before.size > mostRead) return looksSame;
  return (await sameContent(mirror.pathOf(before.saved), path, before.size, pace)) ?? looksSame;
}

/** What was changed within the time step in which it had been looked at: no fact about it tells. */
async function changedUnseen(
  { mirror, pace, fresh }: JudgeRequest,
  seen: ReadonlySet<string>,
): Promise<{ path: string; before: Node; after: Node }[]> {
  const changed = [];
  for (const [before, path] of fresh) {
    const facts = seen.has(path) ? undefined : factsOf(path);
    if (!facts || facts === "hidden") continue;
    const after = nodeFrom(facts, before.kind === "link" ? targetOf(path) : undefined);
    if (after.kind !== before.kind) continue;
    const same =
      before.kind === "link"
        ? before.target === after.target
        : !before.saved || (await isSameInside(path, before, after, { mirror, pace }));
    if (!same) changed.push({ path, before, after });
  }
  return changed;
}
