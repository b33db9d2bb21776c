// JavaScript's names: one thing can be reached by many of them, and each is known here by one.

import type { Value } from "../value.ts";

const sameAs: readonly (readonly [RegExp, string])[] = [
  [/^(globalThis|global|window|self)\.(?=.)/, ""],
  [/^node:/, ""],
  [/^(fs-extra|graceful-fs)\b/, "fs"],
  [/^(fs|path|dns)\/(promises|posix|win32)\b/, "$1"],
  [/^(fs|path)\.(promises|posix)\b/, "$1"],
  [/^(\w[\w/-]*)\.default\b/, "$1"],
  [/^((?:fs|child_process|zlib)\.\w+?)Sync\b/, "$1"],
];

export const javascriptName = (name: string): string => sameAs.reduce((at, [from, to]) => at.replace(from, to), name);

/** What a full name stands for. */
export function javascriptThing(written: string): Value {
  const name = /^(globalThis|global)$/.test(written) ? "globalThis" : javascriptName(written);
  if (name === "process.env") return { name, from: [{ type: "environment" }] };
  return name === "process.execPath" ? { name, text: "node", from: [] } : { name, from: [] };
}
