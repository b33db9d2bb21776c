// Puts text into the clipboard: with the program that the system has for it, or by asking the terminal.

import { spawn } from "node:child_process";

/** Who did it. A terminal does not tell whether it has. */
export type ClipboardWay = "program" | "terminal";

export async function writeClipboard(
  text: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  terminal: (sequence: string) => void,
): Promise<ClipboardWay> {
  // Over ssh the person's clipboard is where the terminal is.
  if (!env.SSH_CONNECTION && !env.SSH_TTY)
    for (const [program, ...args] of programsFor(env, platform))
      if (await feed(program!, args, program === "clip.exe" ? Buffer.from(text, "utf16le") : text, env))
        return "program";
  terminal(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
  return "terminal";
}

function programsFor(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[][] {
  if (platform === "darwin") return [["pbcopy"]];
  if (platform === "win32" || env.WSL_DISTRO_NAME) return [["clip.exe"]];
  return [
    ...(env.WAYLAND_DISPLAY ? [["wl-copy"]] : []),
    ...(env.DISPLAY
      ? [
          ["xclip", "-selection", "clipboard"],
          ["xsel", "--clipboard", "--input"],
        ]
      : []),
  ];
}

/** Whether the program took it. It may stay to keep the text: nothing of ours waits for what it started. */
function feed(
  program: string,
  args: readonly string[],
  text: string | Buffer,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ["pipe", "ignore", "ignore"], windowsHide: true, timeout: 5_000 });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}
