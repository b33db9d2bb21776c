// The code of every start, run with what was compiled of it in earlier ones. Node keeps compiled code too, but as it is right after
// loading, when no function has run yet: each start would compile the same functions again. Here it is kept as it is after
// a conversation, beside what Node keeps, and only where Node keeps any (NODE_DISABLE_COMPILE_CACHE=1 turns both off): in a folder of
// ours, which code in a sandbox cannot write (`bin/launch.js`).

import type { Script } from "node:vm";

// Imported as modules, these would load much that a start does not need.
const fs = process.getBuiltinModule("node:fs");

/** So many conversations add to what is kept: the first may have been a short one. */
const additions = 3;

/** Milliseconds. V8 drops code that has not run for long: at the end of a long conversation, that of the start is gone. */
const latest = 60_000;

interface Compiled {
  data: Buffer;
  /** How many conversations it comes from. */
  from: number;
}

interface Keeping {
  script: Script;
  file: string;
  version: string;
  from: number;
}

let keeping: Keeping | undefined;

/** What a script cannot do by itself: import. */
export interface Imports {
  /** Files it needs from the beginning, by the names it has for them. */
  files: Record<string, object>;
  load(name: string): Promise<object>;
}

type Run = (
  module: { exports?: object },
  require: (name: string) => object,
  load: Imports["load"],
  url: string,
) => void;

/** Runs the script in a file, which is plain ASCII, and returns what it exports. `version` is another one whenever its text is. */
export function runCompiled(url: URL, version: string, { files, load }: Imports): object {
  const folder = process.getBuiltinModule("node:module").getCompileCacheDir();
  const file = folder && `${folder}/open-interpreter-${checksum(url.href).toString(16)}`;
  const compiled = file ? read(file, version) : undefined;
  const { Script } = process.getBuiltinModule("node:vm");
  const script = new Script(fs.readFileSync(url, "latin1"), {
    filename: url.href,
    ...(compiled && { cachedData: compiled.data }),
  });
  const from = compiled && !script.cachedDataRejected ? compiled.from : 0;
  if (file && from < additions) keeping = { script, file, version, from };
  const module: { exports?: object } = {};
  const run = script.runInThisContext() as Run;
  run(module, (name) => files[name] ?? builtin(name), load, url.href);
  return module.exports!;
}

/** A module of Node's. Those that Node has not loaded for itself are loaded when something in them is first used. */
function builtin(name: string): object {
  const load = () => process.getBuiltinModule(name) as Record<string | symbol, unknown>;
  if (/^node:(buffer|fs|module|path|url)$/.test(name)) return load();
  let loaded: ReturnType<typeof load> | undefined;
  return new Proxy(
    {},
    {
      get: (_, key) => {
        loaded ??= load();
        return loaded[key];
      },
    },
  );
}

/** This start has become a conversation: what is compiled for it will be kept. */
export function keepCompiled(): void {
  if (!keeping) return;
  process.once("exit", write);
  setTimeout(write, latest).unref();
}

/** V8 trusts what it is given: it has to be ours, of this very text, and whole. */
function read(file: string, version: string): Compiled | undefined {
  let opened: number | undefined;
  try {
    opened = fs.openSync(file, "r");
    if (process.getuid && fs.fstatSync(opened).uid !== process.getuid()) return undefined;
    const bytes = fs.readFileSync(opened);
    const data = bytes.subarray(0, -8);
    if (bytes.readUInt32LE(data.length) !== checksum(data, checksum(version))) return undefined;
    return { data, from: bytes.readUInt32LE(data.length + 4) };
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) fs.closeSync(opened);
  }
}

function write(): void {
  if (!keeping) return;
  const { script, file, version, from } = keeping;
  keeping = undefined;
  const draft = `${file}.${process.pid}`;
  try {
    const data = script.createCachedData();
    const end = Buffer.alloc(8);
    end.writeUInt32LE(checksum(data, checksum(version)));
    end.writeUInt32LE(from + 1, 4);
    fs.writeFileSync(draft, Buffer.concat([data, end]), { mode: 0o600, flag: "wx" });
    fs.renameSync(draft, file);
  } catch {
    // Then the next start compiles again; nobody has to know.
    fs.rmSync(draft, { force: true });
  }
}

const checksum = (data: string | Buffer, after = 0): number => process.getBuiltinModule("node:zlib").crc32(data, after);
