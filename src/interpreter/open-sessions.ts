// The sessions of an interpreter: the languages that were chosen, where their code runs, and what it may ask of the host.

import { homedir, tmpdir } from "node:os";
import { Sessions, type SessionWatcher } from "../languages/index.ts";
import { localMachine, protectedMachine } from "../machine/index.ts";
import { withoutModelKeys } from "../models/index.ts";
import { type ChosenLanguages, chooseLanguages } from "./choose-languages.ts";
import type { InterpreterOptions } from "./options.ts";
import type { Workspace } from "./workspace.ts";

export interface OpenSessions {
  sessions: Sessions;
  /** Settles when every language is known. */
  reach(): Promise<void>;
}

export function openSessions(options: InterpreterOptions, workspace: Workspace, watcher: SessionWatcher): OpenSessions {
  const env = options.env ?? process.env;
  const { cwd, view } = workspace;
  const apart = async () => !options.machine && ((await workspace.protection()).sandbox?.apart ?? false);
  const machine =
    typeof options.machine === "object"
      ? options.machine
      : protectedMachine(localMachine, () => workspace.protection(), {
          memory: options.maxMemory,
          cpu: options.maxCpu,
          disk: options.maxDisk,
          places: [cwd, tmpdir(), homedir()],
        });
  const chosen = chooseLanguages(options, cwd, env);
  // Loaded at the first call: most conversations start without one.
  const computer = () =>
    import("../computer/index.ts").then(({ createComputer }) =>
      createComputer({ sessions, machine, view, apart, env: withoutModelKeys(env), functions: options.functions }),
    );
  const sessions = new Sessions(
    chosen.languages,
    {
      machine,
      onCall: async (...call) => (await computer())(...call),
      cwd,
      env: {
        ...withoutModelKeys(env),
        // What displays tables hides these from the model.
        ...(options.neverSend && { INTERPRETER_NEVER_SEND: options.neverSend.join("\n") }),
      },
      ...(options.python && { python: options.python }),
      ...(options.tables && { tables: true }),
      ...(options.lendTerminal && { lendTerminal: options.lendTerminal }),
    },
    chosen.more,
    watcher,
  );
  return { sessions, reach: reaching(sessions, chosen.ofServer) };
}

/** A Jupyter server is asked for its languages when one is first needed, and again if it could not be reached. */
function reaching(sessions: Sessions, ask: ChosenLanguages["ofServer"]): OpenSessions["reach"] {
  let reached: Promise<void> | undefined;
  return async () => {
    if (!ask) return;
    reached ??= (async () => {
      sessions.languages = await ask();
    })();
    await reached.catch((error) => {
      reached = undefined;
      throw error;
    });
  };
}
