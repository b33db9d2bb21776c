// cmd, Windows' oldest shell: the default where there is no PowerShell.

import { customLanguage } from "../custom/index.ts";
import { findProgram } from "../find-program.ts";
import { type Language, type Session, type SessionOptions, SessionStartError } from "../language.ts";
import { batchFile, cmdCommand } from "./cmd-command.ts";

const missing = () =>
  process.platform === "win32" ? "cmd.exe was not found." : "cmd is a part of Windows: it runs nowhere else.";
const find = (env: NodeJS.ProcessEnv) =>
  process.platform === "win32" ? findProgram([env.ComSpec ?? "cmd.exe", "cmd.exe"], env) : undefined;

export const cmd: Language = {
  name: "cmd",
  aliases: ["bat", "batch"],
  extension: "cmd",
  offered: false,
  async available({ env }) {
    return find(env) ? true : missing();
  },
  start: (options) => startCmd("cmd", options),
};

export async function startCmd(name: string, options: SessionOptions): Promise<Session> {
  const program = find(options.env);
  if (!program) throw new SessionStartError(missing());
  const session = await customLanguage({ ...cmdCommand(program), name }).start(options);
  return {
    language: session.language,
    description: session.description,
    pid: session.pid,
    get alive() {
      return session.alive;
    },
    run: (code, block) => session.run(batchFile(code), block),
    interrupt: () => session.interrupt(),
    close: () => session.close(),
  };
}
