// What a call means, as tables of names: the words that the tables of all languages are written with.

import type { Deed } from "../act.ts";
import { gap, outOf, type Value } from "../value.ts";
import type { Call } from "./evaluate.ts";
import { request } from "./network.ts";

/** Does what the call does, and returns what comes of it; nothing where only the origin of that is known. */
export type Meaning = (call: Call) => Value | undefined;

/** The same meaning for several names. */
export const all = (names: string, meaning: Meaning): [string, Meaning][] =>
  names.split(" ").map((name) => [name, meaning]);

export const doing =
  (deeds: (call: Call) => readonly Deed[]): Meaning =>
  (call) => {
    for (const deed of deeds(call)) call.act(deed);
    return undefined;
  };

export const first = ({ values }: Call): Value | undefined => values[0];

export const argument = ({ values, named }: Call, index: number, name: string): Value | undefined =>
  values[index] ?? named[name];

export const withName = (value: Value, name: string | undefined): Value =>
  name === undefined ? value : { ...value, name };

/** What is in a file. */
export const inFile = (path: Value | undefined, name: string): Value => ({
  name,
  from: [...outOf(path).from, { type: "file", path: path?.text ?? gap }],
});

/** A variable of the environment; the home folder is known by its short name. */
export function variable(name: string): Value {
  const home = /^(HOME|USERPROFILE)$/.test(name);
  return { ...(home && { text: "~" }), from: [{ type: "variable", name }] };
}

/** Copies leave a file where it was; moves do not read it. */
export const copying = (read: boolean): Meaning =>
  doing(({ values: [from, to] }) => [
    ...(from && read ? [{ type: "read" as const, path: from }] : []),
    ...(to ? [{ type: "write" as const, path: to, append: false }] : []),
  ]);

export const killing = (who: Value | undefined): Deed[] => [
  { type: "kill", who: who?.number === undefined ? "a process" : String(who.number) },
];

/** What goes over a connection that is there already: told only where it says more than the connection did. */
export function sentAlong({ receiver, values }: Call): Deed[] {
  const connection = receiver.from.find((source) => source.type === "network");
  const content = outOf(...values);
  const matters = content.from.some(({ type }) => /^(file|variable|environment)$/.test(type));
  if (!connection || !matters) return [];
  return request({ text: `tcp://${connection.host ?? gap}`, from: [] }, { sends: values });
}
