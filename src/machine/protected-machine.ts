// A machine whose processes are started where the workspace is protected.

import type { Protection } from "./effects/protection.ts";
import type { Limits } from "./limits.ts";
import type { Machine } from "./local.ts";

/** `protection` is asked for with the first process. */
export function protectedMachine(
  machine: Machine,
  protection: () => Promise<Protection>,
  limits: Limits = {},
): Machine {
  return {
    name: machine.name,
    limits,
    async openTerminal() {
      const device = await machine.openTerminal();
      const { sandbox } = await protection();
      if (!device || !sandbox) return device;
      const path = await sandbox.showTerminal(device.path);
      if (path !== undefined) return { ...device, path };
      device.close();
      return undefined;
    },
    spawn: async (request) => machine.spawn((await protection()).enter(request)),
  };
}
