// A machine whose processes are started where the workspace is protected.

import type { Protection } from "./effects/protection.ts";
import type { Machine } from "./local.ts";

/** `protection` is asked for with the first process. */
export function protectedMachine(machine: Machine, protection: () => Promise<Protection>): Machine {
  return {
    name: machine.name,
    openTerminal: () => machine.openTerminal(),
    spawn: async (request) => machine.spawn((await protection()).enter(request)),
  };
}
