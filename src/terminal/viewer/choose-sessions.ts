// Which session a person means when they want to look at something: the one they name, otherwise those that have tables.

import type { Session, Sessions } from "../../languages/index.ts";

export type Chosen = { sessions: Session[]; code: string } | { problem: string };

/** The first that knows what is meant is the one: where lines go now, then Python, then SQL. */
export async function chooseSessions(what: string, sessions: Sessions, current: string | undefined): Promise<Chosen> {
  const live = await sessions.live();
  const [, word = "", rest = ""] = /^(\w+)\s+(["'`\w][\s\S]*)$/.exec(what) ?? [];
  const named = rest && !/^(if|and|or|in|is|not|for)\b/.test(rest) ? sessions.find(word)?.name : undefined;
  if (named) {
    const session = live.find(({ language }) => language === named);
    return session ? { sessions: [session], code: rest } : { problem: `No ${named} session is running yet.` };
  }
  const order = [current, "python", "sql"];
  const chosen = order.flatMap((name) => live.find(({ language, viewTable }) => language === name && viewTable) ?? []);
  if (chosen.length > 0) return { sessions: [...new Set(chosen)], code: what };
  if (live.length === 0) return { problem: "No session is running yet: one starts with its first block." };
  return { problem: "No session with tables is running yet: Python and SQL have them." };
}
