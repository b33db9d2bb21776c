// A computer for sessions under test: the real one, with a module of the test's own added to it.

import {
  allModules,
  anything,
  computerFunction,
  createComputer,
  type Module,
  number,
  text,
} from "../../src/computer/index.ts";
import { type OnCall, Sessions } from "../../src/languages/index.ts";
import { localMachine } from "../../src/machine/index.ts";

export interface TestComputer {
  onCall: OnCall;
  /** Calls of `computer.test.hang` and streams that were stopped from inside. */
  stopped: string[];
  /** How many calls of `computer.test.hang` have begun. */
  hanging: number;
}

export function testComputer(env: NodeJS.ProcessEnv = process.env): TestComputer {
  const made: TestComputer = { onCall: () => {}, stopped: [], hanging: 0 };
  const module: Module = {
    name: "test",
    help: "for tests",
    functions: {
      echo: computerFunction("Gives back what it gets.", { value: anything }, ({ value }) => value),
      fail: computerFunction("Fails.", { name: text, message: text }, async ({ name, message }) => {
        throw Object.assign(new Error(message), { name });
      }),
      large: computerFunction("Long text.", { size: number }, ({ size }) => "x".repeat(size)),
      count: computerFunction("Counts.", { to: number }, async function* ({ to }) {
        try {
          for (let at = 1; at <= to; at++) yield at;
        } finally {
          made.stopped.push("count");
        }
      }),
      breaks: computerFunction("A stream that fails.", {}, async function* () {
        yield 1;
        throw Object.assign(new Error("the stream broke"), { name: "ValueError" });
      }),
      hang: computerFunction("Never answers.", { label: text }, ({ label }, { signal }) => {
        made.hanging++;
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            made.stopped.push(label);
            reject(signal.reason);
          });
        });
      }),
    },
  };
  const sessions = new Sessions([], { machine: localMachine, cwd: process.cwd(), env });
  made.onCall = createComputer({ sessions, machine: localMachine, env, modules: [...allModules, module] });
  return made;
}
