// What a module of `computer` is made of: functions with a help text and typed parameters. A further module is a file in
// modules/ and its line in modules/index.ts.

import type { Sessions } from "../languages/index.ts";
import type { Machine } from "../machine/index.ts";

export interface Module {
  /** The name under `computer`. */
  name: string;
  /** One line. */
  help: string;
  /** By name. A module that is one function, as `computer.sessions()` is, calls it "". */
  functions: Readonly<Record<string, ComputerFunction>>;
}

export interface ComputerFunction {
  help: string;
  parameters: Readonly<Record<string, Parameter>>;
  /** A value that JSON can carry, a promise of one, or an async iterable of them. What it throws is told to the code. */
  call(args: Record<string, unknown>, context: Context): unknown;
}

/** Who asks, and what there is to answer with. */
export interface Context {
  /** The folder the asking code is in. */
  cwd: string;
  language: string;
  /** Aborted when the code does not wait for the answer any more. */
  signal: AbortSignal;
  /** Tells the code something beside the answer; it is shown on its stderr. */
  note(text: string): void;
  sessions: Sessions;
  machine: Machine;
  /** Where this process finds what the asking code sees at a path. */
  view(path: string): string;
  /** Whether this process sees more than the asking code may: what it wants of files is then done inside of its walls. */
  apart(): Promise<boolean>;
  env: NodeJS.ProcessEnv;
  modules: readonly Module[];
}

export interface Parameter<T = unknown> {
  kind: "text" | "number" | "flag" | "any";
  /** Present when the parameter may be left out. */
  fallback?: { value: T };
}

export const text: Parameter<string> = { kind: "text" };
export const number: Parameter<number> = { kind: "number" };
export const flag: Parameter<boolean> = { kind: "flag" };
export const anything: Parameter<unknown> = { kind: "any" };

export function optional<T>(parameter: Parameter<T>): Parameter<T | undefined>;
export function optional<T>(parameter: Parameter<T>, value: T): Parameter<T>;
export function optional<T>(parameter: Parameter<T>, value?: T): Parameter<T | undefined> {
  return { kind: parameter.kind, fallback: { value } };
}

type Values<P> = { [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never };

export function computerFunction<P extends Record<string, Parameter>>(
  help: string,
  parameters: P,
  call: (args: Values<P>, context: Context) => unknown,
): ComputerFunction {
  return { help, parameters, call: call as ComputerFunction["call"] };
}

/** A failure that code gets as an exception: by one of Python's names where one fits. */
export class ComputerFault extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}
