// A folder that a step put in place and in which somebody has changed something since: what is still as the step left it can go
// without the rest. From then on those parts are nodes of their own.

import { dirname, join } from "node:path";
import type { Version } from "../effects/effect.ts";
import type { Contents, Looking } from "./contents.ts";
import { isAsPlaced } from "./facts.ts";
import { contentsOf, type StepNode, type StepRecord, writeJson } from "./record.ts";
import { readStep, stepFolder, type Workshop } from "./workshop.ts";

export interface Part {
  node: StepNode;
  /** Of a folder. */
  contents?: Contents;
}

export interface Left {
  path: string;
  now: Version | undefined;
  /** As the end of a sentence. */
  seen: string;
}

interface Found {
  parts: Part[];
  left: Left[];
  /** Nothing in it is another one. */
  whole: boolean;
}

/** Undefined where nothing of it can go alone. */
export async function partsOf(
  node: StepNode,
  contents: Contents,
  looking: Looking,
): Promise<Omit<Found, "whole"> | undefined> {
  if (!("entries" in contents) || node.holds) return undefined;
  const { sight, except, pace } = looking;
  const known = new Map(contents.entries);
  const inside = new Map<string, string[]>();
  for (const name of known.keys()) {
    const around = dirname(name);
    inside.set(around, [...(inside.get(around) ?? []), name]);
  }
  const { path: top, change, side } = node;
  const partAt = (name: string, placed: Version): Part => {
    const path = join(top, name);
    const part: StepNode = { path, change, way: "swap", side, placed, holds: false, bytes: 0 };
    if (placed.kind !== "folder") return { node: part };
    const start = `${name}/`;
    const entries = [...known].flatMap(([each, version]): [string, Version][] =>
      each.startsWith(start) ? [[each.slice(start.length), version]] : [],
    );
    return { node: part, contents: { entries } };
  };

  async function look(folder: string): Promise<Found> {
    const found: Found = { parts: [], left: [], whole: true };
    const leave = (path: string, now: Version | undefined, seen: string): void => {
      found.whole = false;
      found.left.push({ path, now, seen });
    };
    const names = sight.names(join(top, folder)).map((name) => (folder === "." ? name : `${folder}/${name}`));
    for (const name of names.sort()) {
      if (pace.due()) await pace.rest();
      const path = join(top, name);
      const [placed, now] = [known.get(name), sight.version(path)];
      if (except.has(path)) found.whole = false;
      else if (!placed) leave(path, now, "added since");
      else if (!isAsPlaced(now, placed, sight.isCopied(path))) leave(path, now, "changed since");
      else if (now?.kind !== "folder") found.parts.push(partAt(name, placed));
      else {
        const inner = await look(name);
        if (inner.whole) found.parts.push(partAt(name, placed));
        else {
          found.whole = false;
          found.parts.push(...inner.parts);
          found.left.push(...inner.left);
        }
      }
    }
    for (const name of inside.get(folder) ?? [])
      if (!names.includes(name) && !except.has(join(top, name))) leave(join(top, name), undefined, "deleted since");
    return found;
  }

  const { parts, left } = await look(".");
  return parts.length === 0 ? undefined : { parts, left };
}

/** Writes down that they are nodes now; nothing is done to them yet. */
export function divide(shop: Workshop, number: number, parts: readonly Part[]): void {
  const folder = stepFolder(shop, number);
  const record = readStep(shop, number)!;
  for (const [index, { contents }] of parts.entries())
    if (contents) writeJson(contentsOf(folder, record.nodes.length + index), contents, shop.on);
  const divided: StepRecord = { ...record, nodes: [...record.nodes, ...parts.map(({ node }) => node)] };
  writeJson(join(folder, "step.json"), divided, shop.on);
}
