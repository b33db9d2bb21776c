// What a shell needs so that `wtf` knows its last command: a few lines for its start file. They are the person's to put there.

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../settings/index.ts";
import bash from "./hook.bash";
import fish from "./hook.fish";
import zsh from "./hook.zsh";

export type HookShell = "bash" | "zsh" | "fish";

const texts: Record<HookShell, string> = { bash, zsh, fish };

/** Each shell keeps its own small file there; where the system has a place for such, they are gone with the login. */
export function recordsFolder(env: NodeJS.ProcessEnv): string {
  return env.XDG_RUNTIME_DIR && !env.INTERPRETER_HOME
    ? join(env.XDG_RUNTIME_DIR, "open-interpreter", "shells")
    : join(places(env).data, "shells");
}

export function hookFor(shell: HookShell, env: NodeJS.ProcessEnv = process.env): string {
  const folder = recordsFolder(env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  forgetEnded(folder);
  return texts[shell].replaceAll("@folder@", () => quoted(folder, shell));
}

/** How to put it there. */
export const howToHook: Record<HookShell, string> = {
  bash: `echo 'eval "$(interpreter hook bash)"' >> ~/.bashrc`,
  zsh: `echo 'eval "$(interpreter hook zsh)"' >> ~/.zshrc`,
  fish: "echo 'interpreter hook fish | source' >> ~/.config/fish/config.fish",
};

/** Files of shells that are gone. */
function forgetEnded(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(/^\d+/.exec(name)?.[0]);
    if (pid && !isAlive(pid)) rmSync(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function quoted(text: string, shell: HookShell): string {
  return shell === "fish"
    ? `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
    : `'${text.replaceAll("'", "'\\''")}'`;
}
