// A folder as plain data, to compare it with itself at another time.

import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from "node:fs";

export type Tree = Map<string, string>;

/** By path from the folder: kind, permissions, content; files that are one and the same say which other name they have. */
export function treeOf(folder: string, options: { links?: boolean } = {}): Tree {
  const tree: Tree = new Map();
  const inodes = new Map<number, string>();
  // A character a byte: names need not be UTF-8.
  const root = Buffer.from(folder).toString("latin1");
  const add = (path: string): void => {
    const at = Buffer.from(path, "latin1");
    const inner = path.slice(root.length + 1);
    const facts = lstatSync(at);
    const mode = (facts.mode & 0o7777).toString(8);
    if (facts.isSymbolicLink()) tree.set(inner, `link to ${readlinkSync(at)}`);
    else if (facts.isFile()) {
      const first = inodes.get(facts.ino);
      inodes.set(facts.ino, first ?? inner);
      const same = options.links && first !== undefined ? ` as ${first}` : "";
      tree.set(inner, `file ${mode} ${contentOf(at, facts)}${same}`);
    } else if (facts.isDirectory()) {
      tree.set(inner, `folder ${mode}`);
      if (may(facts, 0o500)) for (const name of readdirSync(at, "latin1").sort()) add(`${path}/${name}`);
    } else tree.set(inner, "special");
  };
  add(root);
  return tree;
}

const may = ({ mode }: Stats, bits: number): boolean => process.getuid?.() === 0 || (mode & bits) === bits;

function contentOf(path: Buffer, facts: Stats): string {
  if (!may(facts, 0o400)) return `unreadable ${facts.size}`;
  const bytes = readFileSync(path);
  return bytes.length < 60 ? JSON.stringify(bytes.toString("latin1")) : createHash("sha1").update(bytes).digest("hex");
}
