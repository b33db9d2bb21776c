// Follows one turn to its end, shows it, and says how it ended.

import type { TurnEnd } from "../agent/index.ts";
import type { Interpreter } from "../interpreter/index.ts";
import type { View } from "./view.ts";

export async function followTurn(interpreter: Interpreter, message: string, view: View): Promise<TurnEnd> {
  const turn = interpreter.chat(message, { stream: true });
  view.busy(true);
  for (;;) {
    const { value, done } = await turn.next();
    if (done) {
      view.busy(false);
      view.settle();
      view.draw({ role: "server", type: "status", content: "complete", code: value });
      return value;
    }
    view.draw(value);
    await view.room();
  }
}

/** The first Ctrl-C stops what runs; the second ends the program. */
export function interruptTwice(stop: () => void): () => void {
  let times = 0;
  return () => {
    if (++times > 1) process.exit(130);
    stop();
  };
}
