// Model servers that are installed but do not run: finds their programs and starts them.

import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { InputProblem } from "../../settings/index.ts";
import { withoutModelKeys } from "../usable.ts";
import { findLocalServers, type LocalServer, type LookOptions } from "./servers.ts";

export interface ServerProgram {
  /** For people: "Ollama". */
  name: string;
  provider: string;
  path: string;
  args: readonly string[];
}

/** Those whose servers can be started from here. */
export function findServerPrograms(env: NodeJS.ProcessEnv): ServerProgram[] {
  const home = env.HOME ?? homedir();
  const ollama = findProgram("ollama", env, []);
  const lms = findProgram("lms", env, [join(home, ".lmstudio", "bin"), join(home, ".cache", "lm-studio", "bin")]);
  return [
    ...(ollama ? [{ name: "Ollama", provider: "ollama", path: ollama, args: ["serve"] }] : []),
    ...(lms ? [{ name: "LM Studio", provider: "lmstudio", path: lms, args: ["server", "start"] }] : []),
  ];
}

function findProgram(name: string, env: NodeJS.ProcessEnv, more: readonly string[]): string | undefined {
  const folders = [...(env.PATH ?? env.Path ?? "").split(delimiter), ...more].filter((folder) => folder);
  return folders
    .map((folder) => join(folder, process.platform === "win32" ? `${name}.exe` : name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Long enough for a server that looks for graphics cards first. */
const startWithin = 30_000;
const lookEvery = 200;
/** Milliseconds in which a server answers that has only just begun. */
const patience = 1_000;

/** Starts a server that outlives us, and waits until it answers. Rejects with a plain-words error. */
export async function startServer(
  program: ServerProgram,
  { signal, ...look }: LookOptions & { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<LocalServer> {
  const child = spawn(program.path, program.args, {
    detached: true,
    stdio: "ignore",
    env: withoutModelKeys(look.env),
    windowsHide: true,
  });
  let ended: string | undefined;
  child.on("error", (error) => {
    ended = error.message;
  });
  // A program that only asks a server to start ends well before the server answers.
  child.on("exit", (code) => {
    if (code !== 0) ended = `it ended with exit code ${code}`;
  });
  child.unref();
  for (let waited = 0; waited < startWithin && ended === undefined; waited += lookEvery) {
    const server = (await findLocalServers({ within: patience, ...look })).find(
      ({ provider }) => provider === program.provider,
    );
    if (server) return server;
    await sleep(lookEvery, undefined, { signal });
  }
  throw new InputProblem(
    `${program.name} did not start: ${ended ?? "it does not answer"}.`,
    `Start it yourself to see why: ${program.path} ${program.args.join(" ")}`,
  );
}
