// Goes to a place step by step, holding each folder on the way: whoever puts a link in the place of one meanwhile leads nobody astray.

import { closeSync, constants, mkdirSync, openSync, readlinkSync } from "node:fs";
import { raw, textOf } from "./undo/names.ts";

export interface Anchored extends Disposable {
  /**
   * The place, by the folder that is held and its name there. It is no link, unless it became one this moment: do not follow it.
   * With `folder`, the folder itself.
   */
  readonly path: string;
}

export interface AnchorRequest {
  /** What counts as the root of all paths and links. */
  root: string;
  path: string;
  /** Makes folders on the way that are missing. */
  make?: boolean;
  /** It is a folder, and is held, too. */
  folder?: boolean;
}

/** Of Linux, which Node has no name for: only to hold it. */
const onlyHold = 0o10000000;
const folderFlags = onlyHold | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const mostLinks = 40;

/** Throws what the system says where it cannot go on. */
export function openAnchored({ root, path, make = false, folder = false }: AnchorRequest): Anchored {
  const held = [openSync(root, onlyHold | constants.O_DIRECTORY)];
  const leave = (left: number): void => {
    for (const each of held.splice(left)) closeSync(each);
  };
  const at = (name: string): string => `/proc/self/fd/${held.at(-1)}/${name}`;
  try {
    let links = 0;
    let waiting = partsOf(path);
    let name = ".";
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      name = ".";
      const target = part === ".." ? undefined : targetOf(at(part));
      if (part === "..") leave(Math.max(1, held.length - 1));
      else if (target !== undefined) {
        if (++links > mostLinks) throw Object.assign(new Error("There are too many links."), { code: "ELOOP" });
        if (target.startsWith("/")) leave(1);
        waiting = [...partsOf(target), ...waiting];
      } else if (folder || waiting.length > 0) held.push(openFolder(at(part), make));
      else name = part;
    }
    return { path: at(name), [Symbol.dispose]: () => leave(0) };
  } catch (error) {
    leave(0);
    throw error;
  }
}

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "" && part !== ".");

function openFolder(at: string, make: boolean): number {
  try {
    return openSync(raw(at), folderFlags);
  } catch (error) {
    if (!make || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(raw(at));
    return openSync(raw(at), folderFlags);
  }
}

/** Undefined where it is no link. */
function targetOf(at: string): string | undefined {
  try {
    return textOf(readlinkSync(raw(at), { encoding: "buffer" }));
  } catch {
    return undefined;
  }
}
