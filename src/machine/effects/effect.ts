// What a step changed in the world, in words that a person can decide on.

/** What is at a path. */
export interface Version {
  kind: "file" | "folder" | "link" | "other";
  /** Bytes of a file; 0 for everything else. */
  size: number;
  /** Permission bits. */
  mode: number;
  /** When its content was last changed: milliseconds with their fraction, as `mtimeMs` has them. */
  modified: number;
  inode: number;
  /** Where a link points to. */
  target?: string;
}

export interface Effect {
  /** Absolute, as sessions and the person know it. */
  path: string;
  /** As a person in the working folder would call it; folders end with a slash. */
  name: string;
  /** `mode`: nothing but its permissions. A folder that was moved is one effect, as is one that was made or deleted with all in it. */
  change: "created" | "changed" | "deleted" | "renamed" | "mode";
  kind: Version["kind"];
  /** With `renamed`: the name it had. */
  from?: string;
  /** What was there, and what is there now. */
  before?: Version;
  after?: Version;
  /** Where what was there, and what is there now, can be read until the step is kept or discarded. */
  beforePath?: string;
  afterPath?: string;
  /** Of a folder with all in it: how many files, and whether there are even more. */
  files?: number;
  moreFiles?: boolean;
  /** What the person should know about it: it was changed from outside meanwhile, a program still writes to it. */
  warning?: string;
}

export interface LeftRunning {
  pid: number;
  /** As it was called, cut to a line. */
  command: string;
}

/** Everything that a step is known to have done outside of its session's memory. */
export interface Effects {
  /** Deletions and overwritten files first. */
  files: readonly Effect[];
  /** Host names, or addresses where no name was seen; never this machine itself. */
  hosts: readonly string[];
  processes: readonly LeftRunning[];
  /** What was tried and refused, and how it is allowed, in sentences. */
  denied?: readonly string[];
  /** What may have changed and was not watched, in sentences. */
  uncovered: readonly string[];
}

export const noEffects: Effects = { files: [], hosts: [], processes: [], uncovered: [] };
