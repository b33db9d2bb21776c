// PowerShell: pwsh, or Windows' own. Where neither is there, it says so; no other shell takes its place.

import { customLanguage } from "../custom/index.ts";
import { findProgram } from "../find-program.ts";
import { howToInstall } from "../how-to-install.ts";
import type { Language, SessionOptions } from "../language.ts";
import { SessionStartError } from "../language.ts";
import { powershellCommand } from "./powershell-command.ts";

const programs = process.platform === "win32" ? ["pwsh", "powershell"] : ["pwsh"];
const missing = () => howToInstall("PowerShell", { brew: "powershell", site: "https://aka.ms/install-powershell" });
const find = ({ env }: SessionOptions) => findProgram(programs, env);

export const powershell: Language = {
  name: "powershell",
  aliases: ["pwsh", "ps1"],
  extension: "ps1",
  // On Windows it is the shell.
  offered: process.platform === "win32",
  async available(options) {
    return find(options) ? true : missing();
  },
  async start(options) {
    const program = find(options);
    if (!program) throw new SessionStartError(missing());
    return customLanguage({ ...powershellCommand(program), name: "powershell" }).start(options);
  },
};
