// Commands about the live sessions: which there are, what is in them, a new one, a table of one.

import { sanitize } from "../sanitize.ts";
import { sessionsTable, variablesTable } from "../session-tables.ts";
import type { ChatControls } from "./command.ts";

export async function showSessions({ interpreter, print }: ChatControls): Promise<void> {
  print(sessionsTable(await interpreter.sessions.describe()));
}

export async function showVariables({ interpreter, print, language }: ChatControls, written: string): Promise<void> {
  const name = written || language;
  const found = name === undefined ? undefined : interpreter.sessions.find(name)?.name;
  if (name !== undefined && found === undefined) return print(`There is no language ${sanitize(name)}.\n`);
  print(variablesTable(await interpreter.sessions.describe({ variables: true, ...(found && { language: found }) })));
}

export async function restart({ interpreter, print, language: current }: ChatControls, written: string): Promise<void> {
  const name = written || current;
  const { sessions } = interpreter;
  const live = (await sessions.live()).map((session) => session.language);
  const languages = (name === undefined ? live : [name]).map((each) => sessions.find(each));
  if (languages.includes(undefined)) return print(`There is no language ${sanitize(name!)}.\n`);
  if (languages.length === 0) return print(sessionsTable([]));
  for (const language of languages) {
    try {
      print(`New session: ${(await sessions.restart(language!)).description}.\n`);
    } catch (error) {
      print(`${(error as Error).message}\n`);
    }
  }
}

/** A table of the live session, on the whole screen. `sql people` is a table of that session. */
export async function lookAt(chat: ChatControls, what: string): Promise<void> {
  const { interpreter, view, lines, print } = chat;
  if (what === "") return print("Say what to look at: %view NAME, or an expression such as df[df.price > 3].\n");
  if (!view.live) return print("Tables can be looked at only in a terminal, and not with --plain.\n");
  const { chooseSessions, viewTable } = await import("../viewer/index.ts");
  const chosen = await chooseSessions(what, interpreter.sessions, chat.language);
  if ("problem" in chosen) return print(`${chosen.problem}\n`);
  const problem = await chat.stoppable(async (signal) => {
    let first: string | undefined;
    for (const session of chosen.sessions) {
      const said = await viewTable({
        session,
        code: chosen.code,
        input: process.stdin,
        output: process.stdout,
        style: view.style,
        suspend: () => lines.suspend(),
        signal,
      });
      if (said === undefined) return undefined;
      first ??= said;
    }
    return first;
  });
  if (problem) print(`${sanitize(problem)}\n`);
}
