// The questions of the sandbox, loaded only when there is something to ask.

import type { InterpreterOptions } from "../../interpreter/index.ts";
import type { LineReader } from "../line-reader.ts";
import type { View } from "../view.ts";

/** `stopped` is aborted when what runs is stopped: then nobody is asked any more. */
export function sandboxAsking(
  lines: LineReader,
  view: () => View,
  stopped: () => AbortSignal | undefined = () => undefined,
): Required<Pick<InterpreterOptions, "askHost" | "askPath">> {
  const either = (signal: AbortSignal): AbortSignal => {
    const other = stopped();
    return other ? AbortSignal.any([signal, other]) : signal;
  };
  const screen = async () => (await import("./ask-scope.ts")).scopeScreen(lines, view());
  return {
    askHost: async (question, signal) => {
      const { askHost } = await import("./ask-host.ts");
      return askHost(question, await screen(), either(signal));
    },
    askPath: async (question, signal) => {
      const { askPath } = await import("./ask-path.ts");
      return askPath(question, await screen(), either(signal));
    },
  };
}
