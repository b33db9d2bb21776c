// The process that looks at files for code, inside of the walls that code has.

import { createInterface } from "node:readline";
import { localMachine } from "../../machine/index.ts";
import type { Context } from "../module.ts";
import { edit, write } from "./change.ts";
import type { Asked, Said } from "./inside.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";
import { find, search } from "./search.ts";

type Call = (args: never, context: Context) => unknown;
const functions = { read, search, find, edit, write, list } as Record<string, Call>;
const running = new Map<number, AbortController>();

const say = (said: Said): void => void process.stdout.write(`${JSON.stringify(said)}\n`);

async function answer({ id, name, args, cwd, language }: Extract<Asked, { name: string }>): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  // What these functions need of it, and no more.
  const context = {
    cwd,
    language,
    signal: stop.signal,
    note: (note: string) => say({ id, note }),
    machine: localMachine,
    view: (path: string) => path,
    env: process.env,
  } as Partial<Context> as Context;
  try {
    say({ id, result: await functions[name]!(args as never, context) });
  } catch (error) {
    const { name: kind, message } = error as Error;
    say({ id, fault: { name: kind, message } });
  } finally {
    running.delete(id);
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const asked = JSON.parse(line) as Asked;
  if ("cancel" in asked) running.get(asked.id)?.abort();
  else void answer(asked);
});
