// Runs the built program as a person would: by its command, in a folder, with an environment.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testPython } from "./session.ts";

export const bin = join(import.meta.dirname, "../../bin/interpreter.js");

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder to work in and a home of its own: no key, no settings, nothing from this machine's user. */
export class Place implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "program-test-"));
  readonly env: NodeJS.ProcessEnv;

  constructor(extra: NodeJS.ProcessEnv = {}) {
    const { PATH, LANG } = process.env;
    this.env = {
      PATH,
      LANG,
      // Not the folder that is worked in: there something would be said about it.
      HOME: join(this.folder, ".home"),
      INTERPRETER_HOME: join(this.folder, ".home"),
      INTERPRETER_PYTHON: testPython,
      SHELL: "/bin/bash",
      // Nobody is welcomed: whoever starts here has been here before.
      CI: "true",
      ...extra,
    };
  }

  start(args: readonly string[], options: { command?: string; stdin?: "ignore" | "pipe" } = {}): ChildProcess {
    return spawn(process.execPath, [options.command ?? bin, ...args], {
      cwd: this.folder,
      env: this.env,
      stdio: [options.stdin ?? "ignore", "pipe", "pipe"],
    });
  }

  async run(args: readonly string[], options: { command?: string; input?: string } = {}): Promise<Finished> {
    const child = this.start(args, { ...options, stdin: options.input === undefined ? "ignore" : "pipe" });
    child.stdin?.end(options.input);
    return finish(child);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function finish(child: ChildProcess): Promise<Finished> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}
