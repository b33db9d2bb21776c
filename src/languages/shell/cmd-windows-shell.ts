// The shell on Windows, whatever general name it is called by: PowerShell where there is one, otherwise cmd.

import { customLanguage } from "../custom/index.ts";
import { findProgram } from "../find-program.ts";
import type { Language } from "../language.ts";
import { powershell } from "../powershell/index.ts";
import { powershellCommand } from "../powershell/powershell-command.ts";
import { cmd, startCmd } from "./cmd-language.ts";

const general = ["bash", "sh", "zsh", "console", "terminal", "shell-session"];

export function windowsShell(env: NodeJS.ProcessEnv): Language {
  const program = findProgram(["pwsh", "powershell"], env);
  if (program)
    return customLanguage({
      ...powershellCommand(program),
      name: "shell",
      // One session, however it is called.
      aliases: [...general, powershell.name, ...powershell.aliases],
      offered: true,
      note: "The shell here is PowerShell: write PowerShell syntax.",
    });
  return {
    ...cmd,
    name: "shell",
    aliases: general,
    offered: true,
    note: "The shell here is cmd: write what a batch file would have.",
    start: (options) => startCmd("shell", options),
  };
}
