// What the last command printed, where the terminal can be asked: inside tmux. It is read, never made again.

import { execFile } from "node:child_process";

const longest = 6_000;

/** Nothing when it cannot be told where the output begins. */
export async function outputOf(command: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (!env.TMUX || !env.TMUX_PANE) return undefined;
  const args = ["capture-pane", "-p", "-J", "-t", env.TMUX_PANE, "-S", "-1000"];
  const text = await new Promise<string>((done) => {
    execFile("tmux", args, { env, timeout: 2_000, maxBuffer: 10_000_000 }, (_, stdout) => done(stdout));
  });
  return cutOut(text, command);
}

/** From the line that the command was typed on to the one of `wtf`. */
export function cutOut(screen: string, command: string): string | undefined {
  const lines = screen.trimEnd().split("\n");
  const typed = command.split("\n").at(-1)!.trim();
  const end = lines.findLastIndex((line) => /(^|\s)wtf(\s|$)/.test(line));
  const begin = lines.findLastIndex((line, index) => (end === -1 || index < end) && line.trimEnd().endsWith(typed));
  if (begin === -1) return undefined;
  const output = lines
    .slice(begin + 1, end === -1 ? undefined : end)
    .join("\n")
    .trimEnd();
  return output.length > longest ? `…${output.slice(-longest)}` : output;
}
