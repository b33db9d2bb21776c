// A short-lived program beside us that reads a text and answers with one: bounded in time and size, and without our secrets.

import { localMachine } from "../../machine/index.ts";

export interface ChildRequest {
  command: string;
  args: readonly string[];
  input: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  milliseconds: number;
  signal?: AbortSignal;
}

const mostCharacters = 16_000_000;

/** What it wrote to its output; undefined when it could not be started, took too long or wrote too much. */
async function askChild(request: ChildRequest): Promise<string | undefined> {
  const { command, args, cwd, input, milliseconds } = request;
  const child = await localMachine
    .spawn({ command, args, cwd, env: plainEnvironment(request.env), stdin: true })
    .catch(() => undefined);
  if (!child) return undefined;
  const limit = AbortSignal.timeout(milliseconds);
  const over = request.signal ? AbortSignal.any([limit, request.signal]) : limit;
  const end = (): void => void child.signal("SIGKILL");
  over.addEventListener("abort", end);
  if (over.aborted) end();
  child.stdin!.end(input);
  child.stderr.resume();
  try {
    const parts: string[] = [];
    let length = 0;
    child.stdout.setEncoding("utf8");
    for await (const part of child.stdout as AsyncIterable<string>) {
      length += part.length;
      if (length > mostCharacters) return undefined;
      parts.push(part);
    }
    await child.exited;
    return over.aborted ? undefined : parts.join("");
  } catch {
    return undefined;
  } finally {
    over.removeEventListener("abort", end);
    end();
  }
}

/** What a program needs to start, and nothing that the person has put there. */
function plainEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const needed = ["PATH", "Path", "PATHEXT", "SYSTEMROOT", "SystemRoot", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH"];
  const nowhere = "http://127.0.0.1:9";
  return {
    ...Object.fromEntries(needed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    // They have nothing to look for on the network.
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    http_proxy: nowhere,
    https_proxy: nowhere,
    LC_ALL: "C.UTF-8",
  };
}

/** The same as JSON; undefined when it is none. */
export async function askChildForJson(request: ChildRequest): Promise<unknown> {
  const text = await askChild(request);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
