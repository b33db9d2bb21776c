// Where walls stand around processes and not around places: what code asks of its files is done by a process that they stand around.

import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Machine, Process } from "../../machine/index.ts";
import { ComputerFault, type Context } from "../module.ts";

/** What is told to the process, one line each: a call, or that nobody waits for one any more. */
export type Asked =
  | { id: number; name: string; args: Record<string, unknown>; cwd: string; language: string }
  | { id: number; cancel: true };

/** What it says, one line each; the last one of a call is a result or a fault. */
export type Said = { id: number } & (
  | { note: string }
  | { result: unknown }
  | { fault: { name: string; message: string } }
);

interface Helper {
  child: Process;
  waiting: Map<number, { context: Context; resolve(value: unknown): void; reject(error: Error): void }>;
  /** Ends it when nobody wants anything for a while: the next one has the walls that stand then. */
  idle?: NodeJS.Timeout;
}

const own = import.meta.url;
const program = fileURLToPath(new URL(own.endsWith(".ts") ? "./process.ts" : "./files-process.js", own));
const goesAfter = 2_000;

const helpers = new WeakMap<Machine, Promise<Helper>>();
let last = 0;

export async function callInside(name: string, args: Record<string, unknown>, context: Context): Promise<unknown> {
  const { cwd, language, signal, machine } = context;
  signal.throwIfAborted();
  const helper = await helperOf(machine, context.env);
  clearTimeout(helper.idle);
  const id = ++last;
  const tell = (asked: Asked) => helper.child.stdin!.write(`${JSON.stringify(asked)}\n`);
  const stop = () => {
    tell({ id, cancel: true });
    helper.waiting.get(id)?.reject(signal.reason as Error);
  };
  try {
    return await new Promise((resolve, reject) => {
      helper.waiting.set(id, { context, resolve, reject });
      signal.addEventListener("abort", stop);
      tell({ id, name, args, cwd, language });
    });
  } finally {
    signal.removeEventListener("abort", stop);
    helper.waiting.delete(id);
    if (helper.waiting.size === 0) helper.idle = setTimeout(() => end(machine, helper), goesAfter).unref();
  }
}

function helperOf(machine: Machine, env: NodeJS.ProcessEnv): Promise<Helper> {
  const known = helpers.get(machine);
  if (known) return known;
  const started = startHelper(machine, env);
  helpers.set(machine, started);
  started.catch(() => helpers.delete(machine));
  return started;
}

function end(machine: Machine, { child }: Helper): void {
  helpers.delete(machine);
  child.signal("SIGKILL");
}

async function startHelper(machine: Machine, env: NodeJS.ProcessEnv): Promise<Helper> {
  const args = ["--disable-warning=ExperimentalWarning", program];
  const child = await machine.spawn({ command: process.execPath, args, cwd: "/", env, stdin: true });
  const helper: Helper = { child, waiting: new Map() };
  let complaint = "";
  child.stderr.on("data", (piece: Buffer) => {
    if (complaint.length < 2_000) complaint += piece.toString("utf8");
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = JSON.parse(line) as Said;
    const asked = helper.waiting.get(said.id);
    if ("note" in said) asked?.context.note(said.note);
    else if ("fault" in said) asked?.reject(new ComputerFault(said.fault.name, said.fault.message));
    else asked?.resolve(said.result);
  });
  void child.exited.then(() => {
    helpers.delete(machine);
    const why = complaint.trim().slice(0, 500) || "the process that looks at them has ended";
    for (const { reject } of helper.waiting.values()) reject(new Error(`The files cannot be looked at: ${why}.`));
  });
  return helper;
}
