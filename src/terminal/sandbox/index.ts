// The questions of the sandbox, loaded only when there is something to ask.

import type { InterpreterOptions } from "../../interpreter/index.ts";
import type { LineReader } from "../line-reader.ts";
import type { View } from "../view.ts";
import type { ScopeAnswer, ScopeScreen } from "./ask-scope.ts";

export interface Asking {
  /** Aborted when what runs is stopped: then nobody is asked any more. */
  stopped?(): AbortSignal | undefined;
  /** Called when a question was open that nobody waits for any more. */
  onWithdrawn?(): void;
}

export function sandboxAsking(
  lines: LineReader,
  view: () => View,
  { stopped, onWithdrawn }: Asking = {},
): Required<Pick<InterpreterOptions, "askHost" | "askPath">> {
  /** What is printed meanwhile comes after the question, which stays one line. */
  async function asking(
    signal: AbortSignal,
    ask: (screen: ScopeScreen, signal: AbortSignal) => Promise<ScopeAnswer>,
  ): Promise<ScopeAnswer> {
    const other = stopped?.();
    const isOver = () => signal.aborted || other?.aborted === true;
    const screen = (await import("./ask-scope.ts")).scopeScreen(lines, view());
    if (isOver()) return "no";
    const release = view().hold();
    try {
      const answer = await ask(screen, other ? AbortSignal.any([signal, other]) : signal);
      if (signal.aborted && !other?.aborted && !lines.closed) {
        screen.print(screen.style.dim("No longer asked: the program gave up.\n"));
        onWithdrawn?.();
      }
      return answer;
    } finally {
      release();
    }
  }
  return {
    askHost: async (question, signal) => {
      const { askHost } = await import("./ask-host.ts");
      return asking(signal, (screen, either) => askHost(question, screen, either));
    },
    askPath: async (question, signal) => {
      const { askPath } = await import("./ask-path.ts");
      return asking(signal, (screen, either) => askPath(question, screen, either));
    },
  };
}
