// Which keyring this system has. Each is used through the program that the system brings for it: no compiled part of ours,
// and no secret in a command line.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { credentialLocker } from "./credential-locker.ts";
import { keychain } from "./keychain.ts";
import type { Keyring } from "./keyring.ts";
import { secretService } from "./secret-service.ts";

/** Undefined where there is none to be had. */
export function findKeyring(env: NodeJS.ProcessEnv, platform = process.platform): Keyring | undefined {
  if (platform === "darwin") return keychain(env);
  if (platform === "win32") return credentialLocker(env);
  return hasSessionBus(env) && isOnPath("secret-tool", env) ? secretService(env) : undefined;
}

const hasSessionBus = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.DBUS_SESSION_BUS_ADDRESS) || Boolean(env.XDG_RUNTIME_DIR && existsSync(join(env.XDG_RUNTIME_DIR, "bus")));

const isOnPath = (program: string, env: NodeJS.ProcessEnv): boolean =>
  (env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, program)));
