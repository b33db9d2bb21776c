// The host's side of saving a Python session and bringing it back; `python-state.py` does it.

import type { DriverSession } from "../driver-session.ts";
import type { Session } from "../language.ts";
import { readBlockFacts, readRestored, readSavedState } from "../state.ts";
import { holdPython } from "./python-hold.ts";

/** The session itself, which can also be saved, and held. */
export function withState(session: DriverSession, program: string): Session {
  return Object.assign(session, {
    async save(folder, most) {
      return { ...readSavedState(await session.askState({ do: "save", folder, most })), program };
    },
    async restore({ folder, state, later }, signal) {
      return readRestored(await session.askState({ do: "restore", folder, later, ...state }, signal));
    },
    hold: () => holdPython(session),
    async blockFacts(blocks) {
      return readBlockFacts(await session.askState({ do: "facts", blocks }), blocks.length);
    },
  } satisfies Partial<Session>);
}
