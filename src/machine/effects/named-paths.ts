// The files that code names: whatever is written in it like a path.

import { homedir } from "node:os";
import { resolve } from "node:path";

const most = 60;
const longest = 500;
/** In quotes, spaces belong to a name; outside of them, as in a shell, they end it. */
const quoted = /(["'`])((?:~|\.{1,2})?[^"'`\n<>|*?{}$]+)\1/g;
const bare = /(?:^|[\s=(,:>])((?:~|\.{1,2})?\/?[\w./~+@%-]+)/g;
const likePath = /[/\\]|\.\w{1,8}$/;

/** Absolute paths, each with how often it is named. */
export function namedPaths(code: string, cwd: string): Map<string, number> {
  const found = new Map<string, number>();
  const take = (written: string): void => {
    if (written.length > longest || !likePath.test(written) || /^\w+:\/\//.test(written)) return;
    const path = resolve(
      cwd,
      written.replace(/^~(?=[/\\]|$)/, () => homedir()),
    );
    if (found.size < most || found.has(path)) found.set(path, (found.get(path) ?? 0) + 1);
  };
  const rest = code.replace(quoted, (_, __, written: string) => {
    take(written);
    return " ";
  });
  for (const [, written] of rest.matchAll(bare)) take(written!);
  return found;
}
