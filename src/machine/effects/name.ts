// What a person in the working folder calls a path.

import { isAbsolute, relative, sep } from "node:path";
import type { Version } from "./effect.ts";

/** From the first root where it lies in there, whole otherwise; folders end with a slash. */
export function nameOf(path: string, kind: Version["kind"], roots: readonly string[]): string {
  const inner = relative(roots[0] ?? "", path);
  const outside = inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner);
  const name = outside ? path : inner === "" ? "." : inner;
  return kind === "folder" && !name.endsWith(sep) ? `${name}${sep}` : name;
}
