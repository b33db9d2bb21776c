// A terminal for a block of a shell, if a program in it needs one and somebody is there to type.

import type { Machine, TerminalDevice } from "../../machine/index.ts";
import type { DriverSession } from "../driver-session.ts";
import type { SessionOptions } from "../language.ts";
import type { ShellName } from "./find-shell.ts";
import { terminalNeed } from "./terminal-need.ts";
import { transcript } from "./transcript.ts";

/** Gives the shell back the streams it had, from the copies its driver keeps. */
const ownStreams: Record<ShellName, string> = {
  bash: "exec 0</dev/null 1>&62 2>&63",
  zsh: "exec 0</dev/null 1>&$_oi_out 2>&$_oi_err",
  sh: 'if [ "$BASH_VERSION" ]; then exec 0</dev/null 1>&62 2>&63; else exec 0</dev/null 1>&7 2>&6; fi',
};

const mostSaid = 100_000;

export interface LentTerminal {
  /** Gives what was said there. */
  takeBack(): Promise<string>;
}

export class ShellTerminal {
  readonly #shell: ShellName;
  readonly #machine: Machine;
  readonly #lend: SessionOptions["lendTerminal"];
  #device: TerminalDevice | undefined;

  constructor(shell: ShellName, { machine, lendTerminal }: SessionOptions) {
    this.#shell = shell;
    this.#machine = machine;
    this.#lend = lendTerminal;
  }

  async lend(driver: DriverSession, code: string): Promise<LentTerminal | undefined> {
    const lend = this.#lend;
    const need = lend && terminalNeed(code);
    if (!need) return undefined;
    this.#device ??= await this.#machine.openTerminal();
    const device = this.#device;
    if (!device) return undefined;
    // The first terminal a session's leader opens becomes its own: that is where programs look for the person.
    await quietly(driver, `: <>${device.path}`);
    if (need === "the screen") await quietly(driver, `exec 0<>${device.path} 1>&0 2>&0`);
    let said = "";
    const stop = lend({
      ...device,
      onData: (listener) =>
        device.onData((data) => {
          said = (said + data).slice(-mostSaid);
          listener(data);
        }),
    });
    return {
      takeBack: async () => {
        if (need === "the screen" && driver.alive) await quietly(driver, ownStreams[this.#shell]);
        stop();
        return transcript(said);
      },
    };
  }

  close(): void {
    this.#device?.close();
  }
}

/** Runs a line of ours between two blocks. */
async function quietly(driver: DriverSession, line: string): Promise<void> {
  for await (const _ of driver.run(line, "terminal"));
}
