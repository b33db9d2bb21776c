// A tree in memory that does what a file system would: what a protected folder is compared with.

import { createHash } from "node:crypto";
import type { Tree } from "../../../support/protected-folder.ts";

export interface ModelFile {
  kind: "file";
  /** The same for all names of a file, in all copies of the tree. */
  id: number;
  mode: number;
  data: Buffer;
  /** It lies below the layer: the first name that is written to becomes a file of its own. */
  below: boolean;
  /** What it was called when the step began, where it was there. */
  origin?: string;
}

export type ModelNode = ModelFile | { kind: "folder"; mode: number } | { kind: "link"; target: string };

let last = 0;

export const newFile = (data: Buffer, mode = 0o644): ModelFile => ({
  ...{ kind: "file", id: ++last, mode, data, below: false },
});

/** Another file that is like it. */
export const copyOf = (file: ModelFile): ModelFile => newFile(file.data, file.mode);

export class Model {
  readonly nodes = new Map<string, ModelNode>();
  /** What was written to, by name, whether that changed anything or not. */
  readonly written = new Set<string>();

  /** The same tree; files that are the same stay the same. `as` is told which became which. */
  clone(as?: Map<ModelFile, ModelFile>, below?: boolean): Model {
    const copies = as ?? new Map<ModelFile, ModelFile>();
    const model = new Model();
    for (const [path, node] of this.nodes) {
      if (node.kind !== "file") {
        model.nodes.set(path, { ...node });
        continue;
      }
      const copy = copies.get(node) ?? { ...node, ...(below !== undefined && { below }) };
      copies.set(node, copy);
      model.nodes.set(path, copy);
    }
    return model;
  }

  paths(kind?: ModelNode["kind"]): string[] {
    return [...this.nodes].filter(([, node]) => !kind || node.kind === kind).map(([path]) => path);
  }

  /** What is in a folder, however deep. */
  within(folder: string): string[] {
    return [...this.nodes.keys()].filter((path) => path.startsWith(`${folder}/`));
  }

  namesOf(file: ModelNode): string[] {
    return [...this.nodes].filter(([, node]) => node === file).map(([path]) => path);
  }

  file(path: string): ModelFile {
    const node = this.nodes.get(path);
    if (node?.kind !== "file") throw new Error(`${path} is no file of the model`);
    return node;
  }

  /** Before a file is changed by this name. */
  toWrite(path: string): ModelFile {
    const file = this.file(path);
    this.written.add(path);
    if (!file.below) return file;
    const own = this.namesOf(file).length > 1 ? copyOf(file) : file;
    Object.assign(own, { below: false, id: ++last, origin: path });
    this.nodes.set(path, own);
    return own;
  }

  delete(path: string): void {
    for (const inner of this.within(path)) this.nodes.delete(inner);
    this.nodes.delete(path);
  }

  /** Makes the folders that are missing around a path. */
  makeAround(path: string): void {
    const names = path.split("/").slice(0, -1);
    for (const folder of names.map((_, index) => names.slice(0, index + 1).join("/")))
      if (!this.nodes.has(folder)) this.nodes.set(folder, { kind: "folder", mode: 0o755 });
  }

  /** As a rename does, or as a copy that is deleted afterwards: then the files are new ones. */
  move(from: string, to: string, how: "renamed" | "copied"): void {
    const moved = [from, ...this.within(from)].map((path) => [path, this.nodes.get(path)!] as const);
    this.delete(to);
    for (const [path] of moved) this.nodes.delete(path);
    for (const [path, node] of moved) {
      const own = node.kind !== "file" || how === "renamed" ? node : copyOf(node);
      this.nodes.set(to + path.slice(from.length), own);
      this.written.add(to + path.slice(from.length));
    }
  }

  /** Takes over what another tree has at a path, or that it has nothing; as other files, where they are copied. */
  take(path: string, other: Model, how: "moved" | "copied" = "moved"): void {
    const was = new Map(this.nodes);
    this.delete(path);
    for (const each of [path, ...other.within(path)]) {
      const node = other.nodes.get(each);
      if (node?.kind === "file")
        this.nodes.set(each, how === "copied" ? copyOf(node) : this.#takeFile(node, was.get(each)));
      else if (node) this.nodes.set(each, { ...node });
    }
  }

  /** Takes over which names are one file: where that is not promised, and content is. */
  adopt(groups: readonly (readonly string[])[]): void {
    for (const [path, node] of this.nodes)
      if (node.kind === "file" && this.namesOf(node).length > 1) this.nodes.set(path, copyOf(node));
    for (const names of groups) for (const name of names) this.nodes.set(name, this.file(names[0]!));
  }

  /** A file that is there under another name, and was put aside under this one, is what it has become there. */
  #takeFile(file: ModelFile, here: ModelNode | undefined): ModelFile {
    if (here?.kind === "file" && here.id === file.id) return Object.assign(here, { data: file.data, mode: file.mode });
    const same = [...this.nodes.values()].find((node) => node.kind === "file" && node.id === file.id);
    return (same as ModelFile | undefined) ?? { ...file };
  }

  /** Files of which nothing is told, under all their names, are those that were there. */
  settle(before: Model, isTold: (path: string) => boolean): Model {
    const settled = this.clone();
    for (const [path, node] of this.nodes) {
      if (node.kind !== "file" || this.namesOf(node).some(isTold)) continue;
      const was = before.file(path);
      const names = before.namesOf(was);
      const known = names
        .map((name) => settled.nodes.get(name))
        .find((other) => other?.kind === "file" && other.id === was.id);
      settled.nodes.set(path, known ?? { ...was });
    }
    return settled;
  }

  /** As `treeOf` tells it. */
  tree(): { found: Tree; same: string[][] } {
    const found: Tree = {};
    const names = new Map<ModelNode, string[]>();
    for (const [path, node] of this.nodes) {
      if (node.kind === "folder") found[path] = `folder ${node.mode.toString(8)}`;
      else if (node.kind === "link") found[path] = `link ${node.target}`;
      else {
        const digest = createHash("sha1").update(node.data).digest("hex").slice(0, 12);
        found[path] = `file ${node.mode.toString(8)} ${node.data.length} ${digest}`;
        names.set(node, [...(names.get(node) ?? []), path]);
      }
    }
    const same = [...names.values()].filter((paths) => paths.length > 1).map((paths) => paths.sort());
    return { found, same: same.sort() };
  }
}

/** As `content` in operations.py makes it. */
export const contentOf = (seed: number, size: number): Buffer =>
  size === 0 ? Buffer.alloc(0) : Buffer.alloc(size, `${seed}-`);
