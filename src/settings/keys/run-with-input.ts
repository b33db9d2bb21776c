// Runs a program of the system and gives it something to read: what is secret goes in here, never among its arguments.

import { spawn } from "node:child_process";

export interface Answer {
  code: number | null;
  stdout: string;
  /** What it complained about, or why it could not be started. */
  complaint: string;
}

/** A keyring that is locked asks the person first, in a window of its own; after this long nobody is there. */
const longest = 60_000;

export function runWithInput(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input = "",
): Promise<Answer> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: "pipe", windowsHide: true, timeout: longest });
    let [stdout, complaint] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      complaint += text;
    });
    child.stdin.on("error", () => {});
    child.on("error", (error) => resolve({ code: null, stdout: "", complaint: error.message }));
    child.on("close", (code, signal) =>
      resolve({ code, stdout, complaint: signal ? "it did not answer in time" : complaint.trim() }),
    );
    child.stdin.end(input);
  });
}
