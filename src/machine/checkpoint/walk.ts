// Looks at a tree, whole or against what it was at another time: one `lstat` a thing, and memory only for what is different.

import { lstatSync, readlinkSync, type Stats, statfsSync } from "node:fs";
import { sep } from "node:path";
import { namesIn, raw, textOf } from "../undo/names.ts";
import { isUntouched, type Node, nodeFrom } from "./node.ts";
import type { Pace } from "./pace.ts";

/** At a path there is something else than there was. Of a folder that is still one, `after` has only its own facts. */
export interface Difference {
  path: string;
  /** Where the tree has it, or would have it. */
  parent: Map<string, Node>;
  name: string;
  before?: Node;
  after?: Node;
  /**
   * What was in this folder could not be told, and something was done to it; `after` has all of it. Without: it was shut, and what
   * is in it now cannot be told.
   */
  unknown?: true;
}

export interface Walk {
  /** What is different at that path, and in there. */
  compare(path: string, parent: Map<string, Node>, name: string): Promise<Difference[]>;
}

/** Paths that are excluded do not exist for it. */
export function openWalk(pace: Pace, excluded: ReadonlySet<string>): Walk {
  async function compare(path: string, parent: Map<string, Node>, name: string): Promise<Difference[]> {
    const found: Difference[] = [];
    const before = parent.get(name);
    const facts = factsOf(path);
    if (facts === "hidden") return found;
    if (!facts) {
      if (before) found.push({ path, parent, name, before });
    } else if (facts.isDirectory() && before?.kind === "folder") {
      await compareFolder({ path, parent, name, before }, facts, facts.dev, found);
    } else if (!before || !isUntouched(before, facts)) {
      const after = await read(path, facts, facts.dev);
      found.push({ path, parent, name, ...(before && { before }), after });
    }
    return found;
  }

  async function compareFolder(
    folder: Difference & { before: Node },
    facts: Stats,
    device: number,
    found: Difference[],
  ): Promise<void> {
    const { path, before } = folder;
    const isOtherMode = before.mode !== (facts.mode & 0o7777);
    if (isOtherMode || before.uid !== facts.uid || before.gid !== facts.gid) {
      found.push({ ...folder, after: nodeFrom(facts) });
    }
    if (facts.dev !== device && isPseudo(path)) return;
    const names = namesAt(path);
    if (!names) {
      if (isOtherMode) found.push({ ...folder, unknown: true });
      return;
    }
    if (before.closed) {
      if (before.ctime !== facts.ctimeMs)
        found.push({ ...folder, after: await read(path, facts, device), unknown: true });
      return;
    }
    const entries = before.entries!;
    let known = 0;
    let hidden = 0;
    for (const name of names) {
      if (pace.due()) await pace.rest();
      const inner = path + sep + name;
      if (excluded.has(inner)) continue;
      const now = factsOf(inner);
      const old = entries.get(name);
      if (!now) continue;
      if (old) known++;
      if (now === "hidden") {
        hidden++;
        continue;
      }
      if (old?.kind === "folder" && now.isDirectory()) {
        await compareFolder({ path: inner, parent: entries, name, before: old }, now, facts.dev, found);
      } else if (!old || !isUntouched(old, now)) {
        const after = await read(inner, now, facts.dev);
        found.push({ path: inner, parent: entries, name, ...(old && { before: old }), after });
      }
    }
    if (hidden > 0 && isOtherMode) found.push({ ...folder, unknown: true });
    if (known === entries.size) return;
    for (const [name, old] of entries) {
      if (pace.due()) await pace.rest();
      const inner = path + sep + name;
      if (!factsOf(inner)) found.push({ path: inner, parent: entries, name, before: old });
    }
  }

  async function read(path: string, facts: Stats, device: number): Promise<Node> {
    if (facts.isSymbolicLink()) return nodeFrom(facts, targetOf(path));
    const node = nodeFrom(facts);
    if (!node.entries) return node;
    if (facts.dev !== device && isPseudo(path)) return { ...node, closed: true };
    const names = namesAt(path);
    if (!names) return { ...node, closed: true };
    for (const name of names) {
      if (pace.due()) await pace.rest();
      const inner = path + sep + name;
      if (excluded.has(inner)) continue;
      const now = factsOf(inner);
      if (now === "hidden") node.closed = true;
      else if (now) node.entries.set(name, await read(inner, now, facts.dev));
    }
    return node;
  }

  return { compare };
}

/** "hidden": there may be something, and it may not be looked at. */
export function factsOf(path: string): Stats | "hidden" | undefined {
  try {
    return lstatSync(raw(path), { throwIfNoEntry: false });
  } catch {
    return "hidden";
  }
}

function namesAt(path: string): string[] | undefined {
  try {
    return namesIn(path);
  } catch {
    return undefined;
  }
}

export function targetOf(path: string): string | undefined {
  try {
    return textOf(readlinkSync(raw(path), { encoding: "buffer" }));
  } catch {
    return undefined;
  }
}

/** By the number that Linux gives them: proc, sysfs, both kinds of cgroup, devpts, debugfs, tracefs, bpf, securityfs. */
const pseudo = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x1cd1, 0x64626720, 0x74726163, 0xcafe4a11, 0x73636673,
]);

/** Mounted in the tree, and no files at all. */
function isPseudo(path: string): boolean {
  try {
    return process.platform === "linux" && pseudo.has(statfsSync(raw(path)).type);
  } catch {
    return true;
  }
}
