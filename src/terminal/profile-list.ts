// The list of profiles: those of the person's own, and those that came along.

import { openSettings, places } from "../settings/index.ts";

export async function profileList(): Promise<string> {
  const { bundledProfiles, ownProfiles } = await openSettings();
  const own = ownProfiles(places()).map(({ name, path }) => [name, path] as const);
  const taken = new Set(own.map(([name]) => name));
  const bundled = Object.entries(bundledProfiles).filter(([name]) => !taken.has(name));
  const rows = [...own, ...bundled.map(([name, { about }]) => [name, about] as const)];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, what]) => `${name.padEnd(width)}  ${what}\n`).join("");
}
