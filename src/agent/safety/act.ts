// What a block would do, in words that are the same for every language: readers make acts, rules judge them.

import type { Value } from "./value.ts";

export type Act = { line: number } & (
  | { type: "delete"; path: Value; recursive: boolean }
  | { type: "write"; path: Value; append: boolean }
  | { type: "read"; path: Value }
  /** Something goes over the network. `upload` when the content of a file goes with it. */
  | { type: "request"; host: string | undefined; sends: Value; upload: boolean; unchecked: boolean }
  /** A port is opened, for this machine or for others, too. */
  | { type: "listen"; everywhere: boolean }
  /** A program is started. `words` are its arguments as text. */
  | { type: "command"; name: string; words: readonly string[]; input: Value; background: boolean }
  /** Text is run as code. */
  | { type: "run"; what: Value; known: boolean }
  | { type: "show"; what: Value }
  /** A function of a script's library, by its full name. */
  | { type: "call"; name: string; values: readonly Value[]; endless: boolean }
  /** A name that is not written where it is used, but put together. */
  | { type: "hidden-name"; name: string }
  | { type: "variable"; name: string; value: Value }
  /** Another folder from here on; nothing where it goes back to the first. */
  | { type: "folder"; path: string | undefined }
  | { type: "mode"; path: Value; mode: string }
  | { type: "kill"; who: string }
  /** A shell whose ends are in the hands of another machine. */
  | { type: "remote-shell"; host: string | undefined }
  /** Something that starts itself again and again. */
  | { type: "bomb" }
  | { type: "sql"; verb: string; what: string }
  /** A program in plain sight of another: examined on its own. */
  | { type: "block"; language: string; code: string }
  | { type: "literal"; text: string }
  /** Characters that are not what they seem. */
  | { type: "letters"; how: "turned" | "unseen" | "look-alike"; what: string }
  /** Not understood: because it is no program, or because the look ended before it was through. */
  | { type: "unreadable"; why: string; unfinished: boolean }
);

/** One act without its line: whoever reads the code knows that. */
export type Deed = Act extends infer Each ? (Each extends Act ? Omit<Each, "line"> : never) : never;

export type See = (act: Act) => void;
