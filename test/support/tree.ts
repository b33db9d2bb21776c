// A folder as plain data, to compare it with itself at another time.

import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

export type Tree = Map<string, string>;

/** By path from the folder: kind, permissions, content; files that are one and the same say which other name they have. */
export function treeOf(folder: string, options: { links?: boolean } = {}): Tree {
  const tree: Tree = new Map();
  const inodes = new Map<number, string>();
  const add = (path: string, inner: string): void => {
    const facts = lstatSync(path);
    const mode = (facts.mode & 0o7777).toString(8);
    if (facts.isSymbolicLink()) tree.set(inner, `link to ${readlinkSync(path)}`);
    else if (facts.isFile()) {
      const first = inodes.get(facts.ino);
      const same = options.links && first !== undefined ? ` as ${first}` : "";
      inodes.set(facts.ino, first ?? inner);
      tree.set(inner, `file ${mode} ${contentOf(path, facts.mode, facts.size)}${same}`);
    } else if (facts.isDirectory()) {
      tree.set(inner, `folder ${mode}`);
      for (const name of namesOf(path, facts.mode)) add(`${path}/${name}`, inner === "" ? name : `${inner}/${name}`);
    } else tree.set(inner, "special");
  };
  add(folder, "");
  return tree;
}

const mayNot = (mode: number, bits: number) => process.getuid?.() !== 0 && (mode & bits) !== bits;

function contentOf(path: string, mode: number, size: number): string {
  if (mayNot(mode, 0o400)) return `unreadable ${size}`;
  const bytes = readFileSync(path);
  return bytes.length < 60 ? JSON.stringify(bytes.toString("latin1")) : createHash("sha1").update(bytes).digest("hex");
}

const namesOf = (path: string, mode: number): string[] => (mayNot(mode, 0o500) ? [] : readdirSync(path).sort());
