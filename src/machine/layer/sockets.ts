// Sockets that a layer has caught and that somebody listens on.

import { basename, join } from "node:path";
import { factsOf } from "../undo/facts.ts";
import { namesIn } from "../undo/names.ts";
import { openedAll } from "./access.ts";

/** Below a folder: those that are called like one of the names. All of it is looked at, so it is asked for only where there are names. */
export function socketsIn(upper: string, root: string, names: readonly string[]): string[] {
  const wanted = new Set(names.map((name) => basename(name)));
  const found: string[] = [];
  const look = (inUpper: string, path: string): void => {
    const facts = factsOf(inUpper);
    if (facts?.isSocket() && wanted.has(basename(path))) found.push(path);
    if (facts?.isDirectory())
      openedAll([inUpper], 0o500, () => {
        for (const name of namesIn(inUpper)) look(join(inUpper, name), join(path, name));
      });
  };
  look(upper, root);
  return found;
}
