// What a checkpoint cannot bring back, in sentences.

import { basename, join } from "node:path";
import { bytes } from "../effects/bytes.ts";
import type { Missing } from "./before.ts";
import type { Node } from "./node.ts";

const reasons: Record<Missing["why"], string> = {
  "no room": "there was no room left for a copy",
  unreadable: "it could not be read",
  busy: "it was being written to when it was to be copied",
  lost: "its copy is gone",
  unknown: "what was in it could not be read",
  special: "it was no ordinary file",
};

/** Of something that was changed or deleted, and of which some or all cannot be brought back. */
export function cannotReturn(name: string, change: "changed" | "deleted", missing: readonly Missing[]): string {
  const [first] = missing;
  const whole = missing.length === 1 && first?.inner === "";
  const size = whole && first.bytes > 0 ? ` (${bytes(first.bytes)})` : "";
  if (whole && first.why === "unknown")
    return `${name} was ${change} and can be brought back only without what was in it: that could not be read.`;
  if (whole) return `${name}${size} was ${change} and cannot be brought back: ${reasons[first.why]}.`;
  const few = missing.slice(0, 3).map(({ inner, why, bytes: size }) => {
    const told = size > 0 ? `${bytes(size)}, ${reasons[why]}` : reasons[why];
    return `${inner === "" ? "some of it" : inner} (${told})`;
  });
  const more = missing.length > few.length ? ` and ${missing.length - few.length} more` : "";
  return `${name} was ${change} and can be brought back only without ${few.join(", ")}${more}.`;
}

export const changedSince = (name: string): string =>
  `${name} was changed again after the block had ended: it is left as it is now.`;

export const tooLate = "Another block has begun since: what this one did to files stays, and cannot be undone.";

/** Of files and folders that code names, before it runs. */
export function tooBigIn(path: string, node: Node, limit: number): string[] {
  const left: { name: string; node: Node }[] = [];
  const look = (at: Node, name: string): void => {
    if (at.unsaved === "no room") left.push({ name, node: at });
    else if (at.entries) for (const [inner, child] of at.entries) look(child, join(name, inner));
  };
  look(node, basename(path));
  if (left.length === 0) return [];
  left.sort((one, other) => other.node.size - one.node.size);
  const names = left.slice(0, 3).map(({ name, node }) => `${name} (${bytes(node.size)})`);
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : "";
  const room = `there is no room for a copy among the ${bytes(limit)} that undo may use`;
  return [`${names.join(", ")}${more} could not be brought back if code changed or deleted it: ${room}.`];
}
