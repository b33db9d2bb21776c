// Walls around code as each system can have them, where no write layer brings its own.

import type { Protection } from "../effects/protection.ts";
import type { SandboxRequest } from "./open.ts";

/** The same protection with walls around it, or a sentence where there can be none. */
export async function wallAround(
  protection: Protection,
  request: SandboxRequest,
  platform: NodeJS.Platform = process.platform,
): Promise<Protection | string> {
  if (platform === "linux") return wallOnLinux(protection, request);
  if (platform === "darwin") return (await import("./seatbelt/open.ts")).openSeatbelt(protection, request);
  return noneOn(platform);
}

/** By namespaces; where those are refused, by Landlock. */
async function wallOnLinux(protection: Protection, request: SandboxRequest): Promise<Protection | string> {
  const walled = await (await import("./walled.ts")).wallIn(protection, request);
  if (typeof walled === "object") return walled;
  const held = await (await import("./landlock/open.ts")).openLandlock(protection, { ...request, because: walled });
  return typeof held === "object" ? held : `${walled} ${held}`;
}

/** Why there is none, what protects instead, and what to do. */
export const noneOn = (platform: NodeJS.Platform): string =>
  `${platform === "win32" ? "Windows has none that we can use" : `we have none for this system (${platform})`}. What protects you is the question before each block, --safe_mode, and undo${platform === "win32" ? "; in WSL (Windows Subsystem for Linux) there is one" : ""}.`;
