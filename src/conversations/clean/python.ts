// Asks the person's own Python about blocks of Python: what they need and make, and which versions of what they import are
// installed. The blocks are read there, not run.

import { findPython } from "../../languages/index.ts";
import type { Machine } from "../../machine/index.ts";
import { InputProblem } from "../../settings/index.ts";
import type { BlockFacts } from "./facts.ts";
import { pythonProgram } from "./python-program.ts";

export interface PythonPlace {
  machine: Machine;
  folder: string;
  env: NodeJS.ProcessEnv;
  /** The Python chosen with `--python`, if any. */
  python?: string;
  signal?: AbortSignal;
}

/** A statement that can stand at the top of a program. */
export interface Import {
  code: string;
  names: string[];
  modules: string[];
}

export interface PythonFacts extends BlockFacts {
  imports: Import[];
  modules: string[];
  /** Why it could not be read, if it could not. */
  problem?: string;
  /** Names it needs that no block has made. */
  unknown?: string[];
  installs?: boolean;
  /** Only shows something as it is. */
  looks?: boolean;
  /** The code without the imports, and as a plain program has to say it. */
  body: string;
  script?: string;
  /** What of ours that program uses. */
  needs: ("show" | "figures" | "display")[];
}

export interface Versions {
  requirements: string[];
  missing: string[];
  local: string[];
  python: string;
}

/** `upTo` is the line a block failed at: what is before it was run. `made` stands for a block of another language. */
export const pythonFacts = (
  place: PythonPlace,
  blocks: readonly ({ code: string; upTo?: number } | { made: string[] })[],
): Promise<(PythonFacts | null)[]> => ask(place, { blocks, folder: place.folder });

export const versionsOf = (
  place: PythonPlace,
  modules: readonly string[],
  codes: readonly string[],
): Promise<Versions> => ask(place, { modules, codes, folder: place.folder });

const starter =
  // A file of the folder must not take the place of a part of Python.
  "import sys\nsys.path = [each for each in sys.path if each]\nimport json\nsent = json.load(sys.stdin)\nnames = {'__name__': 'export'}\nexec(compile(sent['program'], 'export', 'exec'), names)\nprint(json.dumps(names['answer'](sent['request'])))";

async function ask<T>({ machine, folder, env, python, signal }: PythonPlace, request: object): Promise<T> {
  const found = findPython(python, folder, env);
  if (!found)
    throw new InputProblem(
      "A clean export of Python needs Python, and none was found.",
      "Name one with --python PATH, or export without --clean.",
    );
  const child = await machine.spawn({
    command: found.path,
    args: ["-c", starter],
    cwd: folder,
    env: { ...env, PYTHONIOENCODING: "utf-8" },
    stdin: true,
  });
  const stop = () => child.signal("SIGKILL");
  signal?.addEventListener("abort", stop);
  try {
    child.stdin!.end(JSON.stringify({ program: pythonProgram, request }));
    const [answer, complaint] = await Promise.all([whole(child.stdout), whole(child.stderr), child.exited]);
    signal?.throwIfAborted();
    if (answer.trim() === "") throw new Error(`The blocks could not be read by ${found.path}: ${complaint.trim()}`);
    return JSON.parse(answer) as T;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

async function whole(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}
