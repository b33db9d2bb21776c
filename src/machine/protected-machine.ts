// A machine whose processes are started where the workspace is protected.

import { connect, type Socket } from "node:net";
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
    async connect(port) {
      const { sandbox } = await protection();
      return sandbox?.connect ? sandbox.connect(port) : connectHere(port);
    },
    spawn: async (request) => machine.spawn((await protection()).enter(request)),
  };
}

const connectHere = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("error", reject);
    socket.once("connect", () => resolve(socket.off("error", reject)));
  });
