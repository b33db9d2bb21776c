// The tree as a file beside the saved copies, so that the next start copies only what has changed since: a line a folder.

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Node, Saved } from "./node.ts";
import type { Pace } from "./pace.ts";

const heading = JSON.stringify({ format: 1 });
/** Without it, the end is missing. */
const ending = JSON.stringify({ end: true });

const kinds = ["file", "folder", "link", "other"] as const;

/** Facts in the order of `factsOf`; last what only this kind has: the number of the copy, or where it points to. */
type Line = [name: string, ...facts: number[], rest: number | string | null];

const factsOf = (node: Node): number[] => {
  const { kind, size, mode, mtime, ctime, inode, links, uid, gid, bytes } = node;
  return [kinds.indexOf(kind), size, mode, mtime, ctime, inode, links, uid, gid, bytes];
};

/** A folder comes after the one that it is in; of a root the whole path is the name. */
type FolderLine = [parent: number, folder: Line, leaves: Line[]];

/** Of files in `unsure` it is not said that their content is saved. */
export async function writeIndex(
  folder: string,
  trees: ReadonlyMap<string, Node>,
  unsure: ReadonlySet<Node>,
  pace: Pace,
): Promise<void> {
  const path = join(folder, "index");
  const file = openSync(`${path}.new`, "w", 0o600);
  try {
    let text = `${heading}\n`;
    let number = 0;
    const write = async (parent: number, name: string, node: Node): Promise<void> => {
      if (pace.due()) await pace.rest();
      const leaves: Line[] = [];
      for (const [inner, leaf] of node.entries!) {
        const rest = leaf.target ?? (unsure.has(leaf) ? null : (leaf.saved?.id ?? null));
        if (!leaf.entries) leaves.push([inner, ...factsOf(leaf), rest]);
      }
      const line: FolderLine = [parent, [name, ...factsOf(node), null], leaves];
      text += `${JSON.stringify(line)}\n`;
      if (text.length > 1_000_000) text = emptied(file, text);
      const own = number++;
      // A folder whose content is not known is left out, and looked at anew.
      for (const [inner, child] of node.entries!) if (child.entries && !child.closed) await write(own, inner, child);
    };
    for (const [root, node] of trees) if (node.entries && !node.closed) await write(-1, root, node);
    emptied(file, `${text}${ending}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}

function emptied(file: number, text: string): "" {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  return "";
}

export interface Index {
  trees: Map<string, Node>;
  saved: Map<number, Saved>;
}

/** Of these roots; empty when there is none, or it is damaged. Copies that `exists` does not know are forgotten. */
export async function readIndex(
  folder: string,
  roots: readonly string[],
  exists: (id: number) => boolean,
  pace: Pace,
): Promise<Index> {
  const index: Index = { trees: new Map(), saved: new Map() };
  const savedAt = (id: number, bytes: number): Saved => {
    const known = index.saved.get(id) ?? { id, bytes, uses: 0 };
    known.uses++;
    index.saved.set(id, known);
    return known;
  };
  const nodeFrom = ([, ...facts]: Line): Node => {
    const rest = facts.pop();
    const [kindNumber, size, mode, mtime, ctime, inode, links, uid, gid, bytes] = facts as number[];
    const kind = kinds[kindNumber!];
    if (!kind || facts.length !== 10 || facts.some((fact) => typeof fact !== "number")) throw new Error("no facts");
    return {
      ...{ kind, size: size!, mode: mode!, mtime: mtime!, ctime: ctime!, inode: inode!, links: links! },
      ...{ uid: uid!, gid: gid!, bytes: bytes! },
      target: kind === "link" && typeof rest === "string" ? rest : undefined,
      entries: kind === "folder" ? new Map() : undefined,
      closed: false,
      saved: kind === "file" && typeof rest === "number" && exists(rest) ? savedAt(rest, bytes!) : undefined,
      unsaved: undefined,
    };
  };
  try {
    const lines = readFileSync(join(folder, "index"), "utf8").trimEnd().split("\n");
    if (lines.shift() !== heading || lines.pop() !== ending) throw new Error("not whole");
    const folders: (Node | undefined)[] = [];
    for (const text of lines) {
      if (pace.due()) await pace.rest();
      const [parent, line, leaves] = JSON.parse(text) as FolderLine;
      const around = parent < 0 ? undefined : folders[parent];
      const wanted = parent < 0 ? roots.includes(line[0]) : around !== undefined;
      const node = wanted ? nodeFrom(line) : undefined;
      folders.push(node);
      if (!node) continue;
      if (parent < 0) index.trees.set(line[0], node);
      else around!.entries!.set(line[0], node);
      for (const leaf of leaves) node.entries!.set(leaf[0], nodeFrom(leaf));
    }
    return index;
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    return { trees: new Map(), saved: new Map() };
  }
}
