// Programs that are started for an export: the script itself, and what makes an environment for it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ran } from "../conversations/index.ts";
import { localMachine } from "../machine/index.ts";
import { InputProblem } from "../settings/index.ts";

export interface ProgramOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** No more of what a program prints is kept. */
const mostKept = 20_000_000;

/** What it printed, in the order it came; a program that is stopped has no exit code. */
export async function startProgram(
  [command, ...args]: readonly string[],
  { cwd, env, signal }: ProgramOptions,
): Promise<Ran> {
  const child = await localMachine.spawn({
    command: command!,
    args,
    cwd,
    env: { ...env, PYTHONIOENCODING: "utf-8", PYTHONUNBUFFERED: "1", MPLBACKEND: "Agg" },
  });
  const stop = () => child.signal("SIGKILL");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  let output = "";
  const hear = async (stream: AsyncIterable<Buffer>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const piece of stream) if (output.length < mostKept) output += decoder.decode(piece, { stream: true });
  };
  try {
    const [, , exit] = await Promise.all([hear(child.stdout), hear(child.stderr), child.exited]);
    return { code: signal.aborted ? null : exit.code, output };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

export interface Environment extends Disposable {
  python: string;
}

/** A virtual environment that has what the requirements name, and nothing else. */
export async function freshEnvironment(
  python: string,
  requirements: string,
  { signal, progress, cwd, env }: ProgramOptions & { progress(words: string): void },
): Promise<Environment> {
  const folder = mkdtempSync(join(tmpdir(), "interpreter-environment-"));
  const made = process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
  try {
    progress("Making a fresh environment");
    await succeed([python, "-m", "venv", folder]);
    if (requirements !== "") {
      const file = join(folder, "requirements.txt");
      writeFileSync(file, requirements);
      progress("Installing what it needs");
      await succeed([made, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", file]);
    }
    return { python: made, [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }

  async function succeed(command: string[]): Promise<void> {
    const { code, output } = await startProgram(command, { cwd, env, signal });
    signal.throwIfAborted();
    if (code !== 0)
      throw new InputProblem(
        `The fresh environment could not be made: ${output.trim().split("\n").at(-1)}`,
        "Export without --fresh_env, or see whether the packages can be installed here.",
      );
  }

  function remove(): void {
    rmSync(folder, { recursive: true, force: true });
  }
}
