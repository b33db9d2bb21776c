// `%open`: hands a file to the program that the person's system opens it with. Nothing waits for it, and it prints nothing here.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { ShownFiles } from "./shown-files.ts";

/** The file a person means: the last that was shown, one by its number, or a path. */
export function findFile(
  written: string | undefined,
  shown: ShownFiles,
  cwd: string,
): { path: string } | { problem: string } {
  const number = written === undefined ? undefined : /^\d+$/.test(written) ? Number(written) : Number.NaN;
  if (Number.isNaN(number)) {
    const plain = written!.replace(/^(["'])(.*)\1$/, "$2").replace(/^~(?=[/\\]|$)/, () => homedir());
    const path = resolve(cwd, plain);
    return existsSync(path) ? { path } : { problem: `There is no file ${path}.` };
  }
  const path = shown.find(number);
  if (path) return { path };
  if (shown.count === 0) return { problem: "Nothing has been shown yet." };
  return {
    problem: `There is no file ${number}: ${shown.count === 1 ? "only one was" : `${shown.count} were`} shown.`,
  };
}

type Env = Readonly<Record<string, string | undefined>>;

/** A sentence about what came of it. */
export async function openFile(path: string, env: Env = process.env, platform = process.platform): Promise<string> {
  const away = isAway(env, platform);
  if (away) return `${away} The file is ${path}`;
  const [command, args] = viewerOn(platform, path);
  const child = spawn(command, args, { stdio: "ignore", detached: true, env: { ...env }, windowsHide: true });
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((done) => {
    child.on("error", done).on("spawn", () => done(undefined));
  });
  child.unref();
  if (!problem) return `Opened ${path}`;
  return `There is no ${command} here to open it with. The file is ${path}`;
}

/** Why a window would not be seen by the person, if so. */
function isAway(env: Env, platform: NodeJS.Platform): string | undefined {
  if (env.SSH_CONNECTION || env.SSH_TTY)
    return "You are connected from another computer, which cannot be asked to open it.";
  if (platform === "win32" || platform === "darwin" || env.DISPLAY || env.WAYLAND_DISPLAY) return undefined;
  return "There is no display here to open it on.";
}

function viewerOn(platform: NodeJS.Platform, path: string): [string, string[]] {
  if (platform === "darwin") return ["open", [path]];
  // Unlike `start`, it takes the path as it is: nothing in a name is a command.
  if (platform === "win32") return ["explorer.exe", [path]];
  return ["xdg-open", [path]];
}
