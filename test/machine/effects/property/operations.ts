// Random operations on files: each is done by the process inside, and to the model.

import { join } from "node:path";
import type { Hand } from "../../../support/protected-folder.ts";
import { contentOf, copyOf, type Model, type ModelFile, newFile } from "./model.ts";
import type { Random } from "./random.ts";

/** A file that stays open across steps. */
export interface Handle {
  key: string;
  how: "append" | "place" | "memory";
  /** Undefined: its file has no name any more, or is another one by now. */
  file: ModelFile | undefined;
  /** How long the file was when it was opened. */
  length: number;
}

export interface Operating {
  root: string;
  hand: Hand;
  random: Random;
  /** What the process sees. */
  model: Model;
  handles: Handle[];
  /** What had several names when the step began. */
  several: ReadonlySet<string>;
  /** Where the process stands; a path of the model, or empty for the root. */
  standing: { at: string };
  /** Whether names are files of their own as soon as they are written to. */
  layered: boolean;
  trace: string[];
  count: number;
}

/** Does it; the name of it, or undefined where there was nothing that it could be done to. */
export type Operation = (operating: Operating) => Promise<void> | void;

const names = ["a", "b", "c.txt", "d e", "ünï", "z"];
const modes = [0o644, 0o600, 0o755, 0o444];
const folderModes = [0o755, 0o700, 0o750];

async function ask(operating: Operating, action: string, ...words: unknown[]): Promise<boolean | "copied"> {
  const { hand, root, trace } = operating;
  operating.count++;
  const line = `${action}(${words.map((word) => JSON.stringify(word)).join(", ")})`;
  trace.push(line);
  const python = words.map((word) =>
    typeof word === "object" && word !== null && "path" in word
      ? JSON.stringify(join(root, (word as { path: string }).path))
      : word === undefined || word === null
        ? "None"
        : JSON.stringify(word),
  );
  const result = await hand.run(`tried(${[action, ...python].join(", ")})`);
  if (result !== true) trace.push(`  → ${result}`);
  return result === true || result === "copied" ? result : false;
}

const at = (path: string) => ({ path });

/** A folder, the root among them. */
const someFolder = ({ model, random }: Operating): string => random.pick(["", ...model.paths("folder")]);
const inFolder = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
const depthOf = (path: string): number => path.split("/").length;

function freePath(operating: Operating): string | undefined {
  const path = inFolder(someFolder(operating), operating.random.pick(names));
  return operating.model.nodes.has(path) || depthOf(path) > 4 ? undefined : path;
}

function someFile({ model, random }: Operating): string | undefined {
  const files = model.paths("file");
  return files.length > 0 ? random.pick(files) : undefined;
}

function someInner({ model, random }: Operating): string | undefined {
  const folders = model.paths("folder");
  return folders.length > 0 ? random.pick(folders) : undefined;
}

const isRelated = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

const isHeld = ({ handles }: Operating, file: ModelFile): boolean => handles.some((handle) => handle.file === file);

const topOf = (path: string): string => path.split("/")[0]!;

/**
 * Files with several names are not mixed with what processes hold, and what lies in the same folders: what becomes of those names is
 * not promised.
 */
const isPinned = ({ standing, model, handles }: Operating, path: string): boolean =>
  [standing.at, ...handles.flatMap(({ file }) => (file ? model.namesOf(file) : []))].some(
    (held) => held !== "" && topOf(held) === topOf(path),
  );

const hasSeveralNames = ({ model }: Operating, path: string): boolean =>
  [path, ...model.within(path)].some((inner) => {
    const node = model.nodes.get(inner);
    return node?.kind === "file" && model.namesOf(node).length > 1;
  });

/**
 * Nobody stands in a folder, or has something in it open, when it is deleted: where that comes back while somebody still does, it
 * cannot be seen.
 */
export async function leave(operating: Operating, folder: string): Promise<void> {
  const { model, handles, standing } = operating;
  if (standing.at !== "" && isRelated(standing.at, folder) && (await ask(operating, "stand", at("")))) standing.at = "";
  for (const handle of [...handles]) {
    if (handle.file && !model.namesOf(handle.file).some((name) => name.startsWith(`${folder}/`))) continue;
    await ask(operating, "let_go", handle.key);
    handles.splice(handles.indexOf(handle), 1);
  }
}

const size = (random: Random): number => random.pick([0, 1, 10, 500, 5_000]);

function setFile(operating: Operating, path: string, data: Buffer): void {
  operating.model.nodes.set(path, newFile(data));
  operating.model.written.add(path);
}

function put(file: ModelFile, place: number, piece: Buffer): void {
  const data = Buffer.alloc(Math.max(file.data.length, place + piece.length));
  file.data.copy(data);
  piece.copy(data, place);
  file.data = data;
}

const operations: [weight: number, Operation][] = [
  [
    8,
    async function create(operating) {
      const { random, count } = operating;
      const path = freePath(operating);
      if (path === undefined) return;
      const bytes = size(random);
      if (await ask(operating, "write", at(path), count, bytes)) setFile(operating, path, contentOf(count, bytes));
    },
  ],
  [
    6,
    async function overwrite(operating) {
      const { random, count, model } = operating;
      const path = someFile(operating);
      if (path === undefined) return;
      const bytes = size(random);
      if (await ask(operating, "write", at(path), count, bytes)) model.toWrite(path).data = contentOf(count, bytes);
    },
  ],
  [
    4,
    async function append(operating) {
      const { random, count, model } = operating;
      const path = someFile(operating);
      if (path === undefined) return;
      const piece = contentOf(count, 1 + size(random));
      const [action, ...how] = random.chance(0.2) ? ["shell_append"] : ["write", "ab"];
      if (await ask(operating, action!, at(path), count, piece.length, ...how)) {
        const file = model.toWrite(path);
        file.data = Buffer.concat([file.data, piece]);
      }
    },
  ],
  [
    3,
    async function truncate(operating) {
      const { random, model } = operating;
      const path = someFile(operating);
      if (path === undefined) return;
      const length = random.pick([0, 3, 100, 70_000]);
      if (!(await ask(operating, "truncate", at(path), length))) return;
      const file = model.toWrite(path);
      const data = Buffer.alloc(length);
      file.data.copy(data);
      file.data = data;
    },
  ],
  [
    4,
    async function writeInTheMiddle(operating) {
      const { random, count, model } = operating;
      const path = someFile(operating);
      if (path === undefined) return;
      const place = random.pick([0, 2, 900, 150_000]);
      const piece = contentOf(count, 1 + random.number(20));
      if (await ask(operating, "write", at(path), count, piece.length, "r+b", place))
        put(model.toWrite(path), place, piece);
    },
  ],
  [
    5,
    async function rename(operating) {
      const { random, model } = operating;
      const from = random.pick([...model.paths("file"), ...model.paths("link"), ""]);
      const over = random.chance(0.4) ? someFile(operating) : freePath(operating);
      if (from === "" || over === undefined || from === over) return;
      const [node, other] = [model.nodes.get(from)!, model.nodes.get(over)];
      // A rename to another name of the same file does nothing.
      if (node === other || other?.kind === "folder") return;
      if (!(await ask(operating, "rename", at(from), at(over)))) return;
      if (node.kind === "file") model.toWrite(from);
      model.move(from, over, "renamed");
    },
  ],
  [
    4,
    async function moveFolder(operating) {
      const { model, standing } = operating;
      const from = someInner(operating);
      const to = freePath(operating);
      if (from === undefined || to === undefined || isRelated(from, to)) return;
      await leave(operating, from);
      if (hasSeveralNames(operating, from) && isPinned(operating, to)) return;
      const how = await ask(operating, "rename", at(from), at(to));
      if (!how) return;
      model.move(from, to, how === "copied" ? "copied" : "renamed");
      if (`${standing.at}/`.startsWith(`${from}/`))
        standing.at = how === "copied" ? "" : to + standing.at.slice(from.length);
    },
  ],
  [
    5,
    async function remove(operating) {
      const { random, model } = operating;
      const path = random.pick([...model.paths("file"), ...model.paths("link"), ""]);
      if (path !== "" && (await ask(operating, "delete", at(path)))) model.delete(path);
    },
  ],
  [
    3,
    async function removeTree(operating) {
      const path = someInner(operating);
      if (path === undefined) return;
      await leave(operating, path);
      if (await ask(operating, "delete_tree", at(path))) operating.model.delete(path);
    },
  ],
  [
    5,
    async function makeFolder(operating) {
      const path = freePath(operating);
      if (path === undefined || depthOf(path) > 3) return;
      if (await ask(operating, "make_folder", at(path)))
        operating.model.nodes.set(path, { kind: "folder", mode: 0o755 });
    },
  ],
  [
    3,
    async function makeAnew(operating) {
      const { random, model, count } = operating;
      const path = someInner(operating);
      if (path === undefined) return;
      const files = names.filter(() => random.chance(0.4)).map((name) => [name, count, size(random)] as const);
      await leave(operating, path);
      if (!(await ask(operating, "anew", at(path), files))) return;
      model.delete(path);
      model.nodes.set(path, { kind: "folder", mode: 0o755 });
      for (const [name, seed, bytes] of files) setFile(operating, inFolder(path, name), contentOf(seed, bytes));
    },
  ],
  [
    2,
    async function otherKind(operating) {
      const { random, model, count } = operating;
      const path = random.chance(0.5) ? someFile(operating) : someInner(operating);
      if (path === undefined) return;
      const isFile = model.nodes.get(path)!.kind === "file";
      await leave(operating, path);
      if (!(await ask(operating, isFile ? "delete" : "delete_tree", at(path)))) return;
      model.delete(path);
      if (isFile && (await ask(operating, "make_folder", at(path))))
        model.nodes.set(path, { kind: "folder", mode: 0o755 });
      if (!isFile && (await ask(operating, "write", at(path), count, 10)))
        setFile(operating, path, contentOf(count, 10));
    },
  ],
  [
    3,
    async function replace(operating) {
      const { random, count } = operating;
      const path = someFile(operating);
      if (path === undefined) return;
      const bytes = size(random);
      if (await ask(operating, "replace", at(path), count, bytes)) setFile(operating, path, contentOf(count, bytes));
    },
  ],
  [
    3,
    async function symlink(operating) {
      const { random, model } = operating;
      const path = freePath(operating);
      if (path === undefined) return;
      const target = random.pick(["a", "../b", "nowhere/at all", "/etc/hostname", "."]);
      if (await ask(operating, "symlink", target, at(path))) model.nodes.set(path, { kind: "link", target });
    },
  ],
  [
    3,
    async function link(operating) {
      const { model } = operating;
      const [from, to] = [someFile(operating), freePath(operating)];
      if (from === undefined || to === undefined || isPinned(operating, from) || isPinned(operating, to)) return;
      if (!(await ask(operating, "link", at(from), at(to)))) return;
      model.nodes.set(to, model.toWrite(from));
    },
  ],
  [
    4,
    async function chmod(operating) {
      const { random, model } = operating;
      const path = random.chance(0.6) ? someFile(operating) : someInner(operating);
      if (path === undefined) return;
      const isFile = model.nodes.get(path)!.kind === "file";
      const mode = random.pick(isFile ? modes : folderModes);
      if (!(await ask(operating, "chmod", at(path), mode))) return;
      const node = isFile ? model.toWrite(path) : model.nodes.get(path)!;
      (node as { mode: number }).mode = mode;
    },
  ],
  [
    2,
    async function touch(operating) {
      const path = someFile(operating);
      if (path !== undefined && (await ask(operating, "touch", at(path)))) operating.model.toWrite(path);
    },
  ],
  [
    2,
    async function copy(operating) {
      const { model } = operating;
      const [from, to] = [someFile(operating), freePath(operating)];
      if (from === undefined || to === undefined || !(await ask(operating, "copy", at(from), at(to)))) return;
      model.nodes.set(to, copyOf(model.file(from)));
      model.written.add(to);
    },
  ],
  [
    2,
    async function copyTree(operating) {
      const { model } = operating;
      const [from, to] = [someInner(operating), freePath(operating)];
      if (from === undefined || to === undefined || isRelated(from, to) || model.within(from).length > 10) return;
      if (!(await ask(operating, "copy_tree", at(from), at(to)))) return;
      for (const path of [from, ...model.within(from)]) {
        const node = model.nodes.get(path)!;
        model.nodes.set(to + path.slice(from.length), node.kind === "file" ? copyOf(node) : { ...node });
      }
    },
  ],
  [
    3,
    async function throughMemory(operating) {
      const { random, model, count } = operating;
      const path = someFile(operating);
      if (path === undefined || model.file(path).data.length === 0) return;
      const place = random.number(model.file(path).data.length);
      if (await ask(operating, "through_memory", at(path), place, count))
        put(model.toWrite(path), place, contentOf(count, 1));
    },
  ],
  [
    3,
    async function hold(operating) {
      const { random, model, handles, several } = operating;
      const path = someFile(operating);
      if (path === undefined || handles.length > 3 || several.has(path) || hasSeveralNames(operating, topOf(path)))
        return;
      const file = model.file(path);
      if (isHeld(operating, file)) return;
      const how = random.pick(file.data.length > 0 ? (["append", "place", "memory"] as const) : (["append"] as const));
      const key = `h${operating.count}`;
      if (await ask(operating, "hold", key, at(path), how)) {
        const own = model.toWrite(path);
        handles.push({ key, how, file: own, length: own.data.length });
      }
    },
  ],
  [
    6,
    async function writeHeld(operating) {
      const { random, handles, count } = operating;
      const handle = random.pick(handles);
      if (!handle) return;
      const { file, how, key } = handle;
      for (const name of file ? operating.model.namesOf(file) : []) operating.model.written.add(name);
      if (how === "memory") {
        // What a file has lost of its length cannot be written to in memory.
        if (!file || file.data.length === 0) return;
        const place = random.number(Math.min(file.data.length, handle.length, 4_000));
        if (await ask(operating, "write_held", key, place, count, 1)) put(file, place, contentOf(count, 1));
        return;
      }
      const piece = contentOf(count, 1 + random.number(30));
      const place = how === "place" ? random.number(1_000) : undefined;
      if ((await ask(operating, "write_held", key, place, count, piece.length)) && file)
        put(file, place ?? file.data.length, piece);
    },
  ],
  [
    2,
    async function letGo(operating) {
      const { random, handles } = operating;
      const handle = random.pick(handles);
      if (handle && (await ask(operating, "let_go", handle.key))) handles.splice(handles.indexOf(handle), 1);
    },
  ],
  [
    2,
    async function stand(operating) {
      const { random, standing } = operating;
      const path = random.chance(0.4) ? "" : someFolder(operating);
      if (path !== "" && hasSeveralNames(operating, topOf(path))) return;
      if (await ask(operating, "stand", at(path))) standing.at = path;
    },
  ],
];

const all = operations.flatMap(([weight, operation]) => Array.from({ length: weight }, () => operation));

export async function operate(operating: Operating): Promise<void> {
  const { random, model } = operating;
  const crowded = model.nodes.size > 45 && random.chance(0.5);
  const operation = crowded ? all.find(({ name }) => name === "removeTree")! : random.pick(all);
  await operation(operating);
  // Standing in, or holding, what has no name any more.
  for (const handle of operating.handles)
    if (handle.file && model.namesOf(handle.file).length === 0) handle.file = undefined;
  if (operating.standing.at !== "" && model.nodes.get(operating.standing.at)?.kind !== "folder")
    operating.standing.at = "";
}
