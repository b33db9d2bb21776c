// A path that can be clicked, in terminals that are known to have links (OSC 8).

import { hostname } from "node:os";
import { pathToFileURL } from "node:url";
import { hasLinks } from "./way.ts";

/** The name of this computer is in it, so that a terminal on another one does not look at its own disk. */
export function fileLink(path: string, env: NodeJS.ProcessEnv, shown = path): string {
  if (!hasLinks(env)) return shown;
  const url = pathToFileURL(path);
  if (process.platform !== "win32") url.hostname = hostname();
  return `\x1b]8;;${url.href}\x1b\\${shown}\x1b]8;;\x1b\\`;
}
