// What can be said about a live session, for people and for the model.

import { memoryOf } from "../machine/index.ts";
import type { Variable } from "./inspection.ts";
import type { Session } from "./language.ts";

export interface SessionFacts {
  language: string;
  /** What runs it: "Python 3.11.7". */
  version: string;
  pid?: number;
  /** Resident memory of the interpreter's process, in bytes. */
  memory?: number;
  /** Seconds since it was started. */
  uptime?: number;
  busy: boolean;
  variables?: Variable[];
  /** Why there are no variables. */
  note?: string;
}

export async function factsOf(
  session: Session,
  { begun, busy, variables }: { begun: number | undefined; busy: boolean; variables: boolean },
): Promise<SessionFacts> {
  const { language, description, pid } = session;
  const memory = pid === undefined ? undefined : await memoryOf(pid);
  return {
    language,
    version: description,
    ...(pid !== undefined && { pid }),
    ...(memory !== undefined && { memory }),
    ...(begun !== undefined && { uptime: Math.round((performance.now() - begun) / 100) / 10 }),
    busy,
    ...(variables && (await namesIn(session))),
  };
}

async function namesIn(session: Session): Promise<Pick<SessionFacts, "variables" | "note">> {
  if (!session.inspect) return { note: "This language cannot be looked into." };
  try {
    return { variables: await session.inspect() };
  } catch (error) {
    return { note: error instanceof Error ? error.message : String(error) };
  }
}
