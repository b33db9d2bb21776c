// Lets text through until words come that end a reply, and holds back what may become such words.

export interface StopGate {
  /** What may be shown now. */
  write(text: string): string;
  /** What was held back in vain. */
  end(): string;
  readonly stopped: boolean;
}

export function createStopGate(stops: readonly string[]): StopGate {
  let held = "";
  let stopped = false;

  return {
    get stopped() {
      return stopped;
    },
    write(text) {
      if (stopped) return "";
      held += text;
      const found = stops.map((stop) => held.indexOf(stop)).filter((at) => at >= 0);
      if (found.length > 0) {
        stopped = true;
        const shown = held.slice(0, Math.min(...found));
        held = "";
        return shown;
      }
      const keep = Math.max(0, ...stops.map((stop) => overlap(held, stop)));
      const shown = held.slice(0, held.length - keep);
      held = held.slice(held.length - keep);
      return shown;
    },
    end() {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

/** How many characters at the end of the text are the beginning of the stop. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length--)
    if (stop.startsWith(text.slice(-length))) return length;
  return 0;
}
