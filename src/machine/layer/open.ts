// Puts a layer over the folders of a workspace, or says why there can be none.

import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "../../messages/index.ts";
import type { SandboxRequest } from "../sandbox/open.ts";
import type { UndoStore } from "../undo/store.ts";
import { endHolder, type Holder, startHolder } from "./holder.ts";
import type { Covered } from "./inside.ts";
import { Layer } from "./layer.ts";
import { isWithin, listMounts, type Mount, mountOf } from "./mounts.ts";
import { forgetRecord, type LayerRecord, writeRecord } from "./record.ts";
import { readState } from "./state.ts";
import { removeTree } from "./sweep.ts";

export interface OpenLayerRequest {
  /** Real paths. */
  roots: readonly string[];
  store: UndoStore;
  limit: number;
  /** Whether somebody is asked before a step is kept: what was caught when the program was killed is then not kept. */
  asks: boolean;
  /** The walls around it, where there are to be any. */
  sandbox?: SandboxRequest | undefined;
  /** Folders that are no part of the workspace wherever they lie: our own. */
  through?: readonly string[];
  /** What the namespace is made of, where it was begun before. */
  holder?: Promise<Holder | string> | undefined;
  /** Where an ended process had caught something: its upper folders, one for each root. */
  from?: LayerRecord;
}

const system = ["/", "/proc", "/sys", "/dev", "/run", "/boot"];
const remote = /^(nfs4?|cifs|smb3?|smbfs|9p|afs|ceph|glusterfs|lustre|fuse(\..*)?|overlay|ecryptfs)$/;

export async function openLayer(request: OpenLayerRequest): Promise<Layer | string> {
  if (process.platform !== "linux") return "The write layer needs Linux.";
  const mounts = listMounts();
  for (const root of request.roots) {
    const problem = problemWith(root, mounts);
    if (problem) {
      endHolder(request.holder);
      return problem;
    }
  }
  const holder = await (request.holder ?? startHolder({ alone: request.sandbox !== undefined }));
  if (typeof holder === "string") return holder;
  try {
    if (holder.asUser) {
      const foreign = request.roots.map(foreignIn).find((name) => name !== undefined);
      if (foreign) return give(holder, `${foreign} belongs to another user or group.`);
    }
    return await cover(request, holder, mounts);
  } catch (error) {
    return give(holder, `${(error as Error).message}.`);
  }
}

function give(holder: Holder, why: string): string {
  holder.close();
  return why;
}

function problemWith(root: string, mounts: readonly Mount[]): string | undefined {
  if (system.includes(root) || /^\/(proc|sys|dev(?!\/shm\/))\//.test(root)) return `${root} belongs to the system.`;
  if (root.includes("\n")) return "The name of the folder has a line break.";
  const type = mountOf(root, mounts)?.type ?? "";
  return remote.test(type) ? `The folder is on ${type}, which a write layer cannot lie on.` : undefined;
}

const mostLookedAt = 500;

/** Files of others cannot be copied by an ordinary user's layer. Only what is right in the folder is looked at. */
function foreignIn(root: string): string | undefined {
  const isForeign = (path: string): boolean => {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    return facts !== undefined && (facts.uid !== process.getuid?.() || facts.gid !== process.getgid?.());
  };
  if (isForeign(root)) return root;
  return readdirSync(root)
    .slice(0, mostLookedAt)
    .find((name) => isForeign(join(root, name)));
}

async function cover(request: OpenLayerRequest, holder: Holder, mounts: readonly Mount[]): Promise<Layer | string> {
  const { roots, store, limit, asks, from, through = [] } = request;
  let why = "";
  for (const place of from ? [from.folder] : placesFor(store.folder, roots)) {
    const folder = from ? place : join(place, newId());
    const covered: Covered[] = [];
    const mounted: string[] = [];
    let problem: string | undefined;
    for (const [index, root] of roots.entries()) {
      const own = join(folder, String(index));
      prepare(own, root);
      const inner = mounts.map(({ path }) => path).filter((path) => path !== root && isWithin(path, root));
      const ours = through.filter((path) => isWithin(path, root) && existsSync(path));
      problem = await mountOver(holder, root, own, [...inner, ...ours]);
      if (problem !== undefined) break;
      covered.push({ root, upper: join(own, "upper") });
      mounted.push(...inner);
    }
    const sandbox = problem === undefined ? await wall(request, holder, join(folder, "walls")) : undefined;
    if (typeof sandbox === "string") {
      removeTree(folder);
      return give(holder, sandbox);
    }
    if (problem === undefined) {
      const bars = sandbox?.bars ?? from?.bars;
      const record = { folder, roots: [...roots], asks, ...(bars && { bars }) };
      writeRecord(store.folder, record);
      const onClose = () => {
        forgetRecord(store.folder, record);
        removeTree(folder);
      };
      const state = from && readState(folder);
      return new Layer({ holder, covered, store, limit, folder, state, sandbox, bars, mounts: mounted, onClose });
    }
    why ||= problem;
    for (const { root } of covered) await holder.run("umount", "-l", root);
    if (!from) removeTree(folder);
  }
  return give(holder, `The folder cannot be layered: ${why}.`);
}

/** Loaded only by those who want walls. */
async function wall({ sandbox, roots }: OpenLayerRequest, holder: Holder, scratch: string) {
  if (!sandbox) return undefined;
  const { openSandbox } = await import("../sandbox/open.ts");
  return openSandbox(holder, sandbox, roots, scratch);
}

/** Beside what undo keeps, so that a file is moved and not copied; elsewhere where that cannot be. */
function placesFor(storeFolder: string, roots: readonly string[]): string[] {
  const user = `open-interpreter-${process.getuid?.()}`;
  const places = [join(storeFolder, "layers"), join("/var/tmp", user), join(tmpdir(), user), join("/dev/shm", user)];
  return places.filter((place) => !roots.some((root) => isWithin(place, root)) && isOurs(place));
}

/** Where everybody may write, somebody else may have been there first. */
function isOurs(place: string): boolean {
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(place);
    return uid === process.getuid?.() && (mode & 0o170777) === 0o040700;
  } catch {
    return false;
  }
}

function prepare(own: string, root: string): void {
  const [upper, work] = [join(own, "upper"), join(own, "work")];
  for (const folder of [upper, work]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  // What an ended layer leaves here keeps another one from starting.
  removeTree(join(work, "work"));
  const { mode, uid, gid } = statSync(root);
  chmodSync(upper, mode & 0o7777);
  if (process.getuid?.() === 0) chownSync(upper, uid, gid);
  // By a short name: a comma or a colon in a path would mean something to the kernel.
  if (!lstatSync(join(own, "lower"), { throwIfNoEntry: false })) symlinkSync(root, join(own, "lower"));
}

async function mountOver(
  holder: Holder,
  root: string,
  own: string,
  inner: readonly string[],
): Promise<string | undefined> {
  const at = (name: string): string => join(own, name);
  // The layer would hide what is mounted inside: it is put aside and then in its place again.
  const aside: [string, string][] = [];
  for (const [index, path] of inner.entries()) {
    const place = at(`mount-${index}`);
    mkdirSync(place, { recursive: true });
    if ((await holder.run("mount", "--rbind", path, place)) === undefined) aside.push([place, path]);
  }
  const options = `lowerdir=${at("lower")},upperdir=${at("upper")},workdir=${at("work")},userxattr,volatile`;
  const problem = await holder.run("mount", "-t", "overlay", "overlay", "-o", options, root);
  if (problem !== undefined) return problem;
  for (const [place, path] of aside) await holder.run("mount", "--rbind", place, path);
  return undefined;
}
