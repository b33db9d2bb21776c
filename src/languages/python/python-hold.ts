// The host's side of taking back what a block did to a Python session; `python-hold.py` does it.

import type { DriverSession } from "../driver-session.ts";
import type { Hold } from "../language.ts";
import { Standby } from "../standby.ts";

export async function holdPython(session: DriverSession): Promise<Hold | undefined> {
  if (process.platform === "win32" || !session.alive) return undefined;
  const standby = new Standby();
  if (!(await session.copies.hold(standby))) return undefined;
  return {
    drop: () => session.copies.drop(standby).catch(() => {}),
    async bringBack() {
      // A block that crashed its process has been taken back by that.
      await session.copies.wake(standby);
      return standby.resumed;
    },
  };
}
