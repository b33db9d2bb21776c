// Sessions that are made first and then begin.

import type { Session } from "./language.ts";

/** The session, when it has begun. One that cannot begin is closed. */
export async function begun<S extends Session>(session: S, begin: (session: S) => Promise<void>): Promise<S> {
  try {
    await begin(session);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}
