// The seam behind which every language lives: start, run, interrupt, close.

import type { Machine, TerminalDevice } from "../machine/index.ts";
import type { MimeBundle } from "../messages/index.ts";
import type { OnCall } from "./bridge.ts";
import type { Completion, Variable } from "./inspection.ts";
import type { BlockFacts, Restored, RestoreRequest, Room, SavedState } from "./state.ts";
import type { TableAnswer, TableRequest } from "./table-view.ts";

export interface Language {
  /** The name models and people use, in lower case. */
  name: string;
  aliases: readonly string[];
  /** File extension without the dot, for exports and editors. */
  extension: string;
  /** False for one that runs when asked for, but is not named to the model. */
  offered?: boolean;
  /** A sentence for the model about what is special here, or nothing. */
  note?: string;
  /** True, or a plain sentence saying what is missing and how to get it. */
  available(options: SessionOptions): Promise<true | string>;
  /** True where its program is known to be missing, so that a Jupyter kernel may have its name. Cheap, unlike `available`. */
  missing?(env: NodeJS.ProcessEnv): boolean;
  /** The program that a session would run in, where what one has saved is for no other. Cheap. */
  program?(options: SessionOptions): string | undefined;
  /** Starts a session. Rejects with a plain-words `SessionStartError` only. */
  start(options: SessionOptions): Promise<Session>;
}

export interface SessionOptions {
  machine: Machine;
  /** Working folder the session starts in. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Lends the person's own terminal to a program that needs one, until the returned function is called. */
  lendTerminal?: LendTerminal;
  /** The Python chosen with `--python`, if any. */
  python?: string;
  /** The live session of another language of the same conversation, for one that works inside of it. */
  sibling?: (language: string) => Promise<Session>;
  /** Tables that are displayed bring their columns and rows along as data, for somebody who draws them. */
  tables?: boolean;
  /** Answers what code in the session asks of `computer`. */
  onCall?: OnCall;
}

/** Connects a terminal device with the person, until the returned function is called. */
export type LendTerminal = (device: TerminalDevice) => () => void;

/** A live interpreter. One block at a time; `run` never throws, its last event is always `end`. */
export interface Session {
  readonly language: string;
  /** What is running, for people: "Python 3.11.7 (.venv)". */
  readonly description: string;
  readonly alive: boolean;
  /** The process id of the interpreter, where it is a process on its machine. */
  readonly pid?: number;
  run(code: string, name: string): AsyncIterable<SessionEvent>;
  /** Stops the running block and keeps the state; does nothing when idle. Kills the session if it does not listen. */
  interrupt(): void;
  /** The names that blocks have made. Rejects with a plain-words `SessionBusyError`. */
  inspect?(): Promise<Variable[]>;
  /** How the code could go on at the cursor. Rejects with a plain-words `SessionBusyError`. */
  complete?(code: string, cursor: number): Promise<Completion>;
  /** Looks at a part of a table in it. Never throws; stops looking when the signal says so. */
  viewTable?(request: TableRequest, signal?: AbortSignal): Promise<TableAnswer>;
  /** Writes what is in it into a folder, as far as that can be kept, between blocks. Rejects with a `StateError`. */
  save?(folder: string, room: Room): Promise<SavedState>;
  /** Brings back what was saved, before the first block. Rejects with a `StateError` when nothing of it can be. */
  restore?(request: RestoreRequest, signal?: AbortSignal): Promise<Restored>;
  /** What some blocks do to its names, read from their code. Rejects with a `StateError`. */
  blockFacts?(blocks: readonly string[]): Promise<BlockFacts[]>;
  /** Remembers what it holds now, before a block, so that it can be had again. Undefined where that cannot be done. */
  hold?(): Promise<Hold | undefined>;
  close(): Promise<void>;
}

/** What a session held before a block, until one of both is called. */
export interface Hold {
  /** The block is kept: what was remembered is dropped. Never throws. */
  drop(): Promise<void>;
  /**
   * The session is again as it was when it was held; sentences about what is not. Rejects with a `StateError` when it cannot be:
   * then it is as the block left it.
   */
  bringBack(): Promise<string[]>;
}

export type SessionEvent =
  | { type: "output"; stream: "stdout" | "stderr" | "terminal"; text: string }
  /** With an `id`, a later display with the same id and `update` is meant to take its place. */
  | { type: "display"; bundle: MimeBundle; id?: string; update?: boolean }
  | { type: "line"; line: number }
  | { type: "error"; name: string; message: string; traceback: string }
  | { type: "input"; prompt: string; hidden: boolean; answer: (text: string | null) => void }
  | SessionEnd;

export interface SessionEnd {
  type: "end";
  status: "ok" | "error" | "interrupted" | "exited";
  /** Exit status of the block (shell) or of the session's process (`exited`). */
  exitCode?: number | null;
  /** With `exited`: how the process ended, in plain words. */
  explanation?: string;
  /** Bytes of memory the interpreter held when the block ended, where that is cheap to know. */
  memory?: number;
  /** Hosts that code in it has reached, by name or by address; never this machine itself. */
  hosts?: string[];
}

export class SessionStartError extends Error {
  override name = "SessionStartError";
}
