// Which keys were pressed, out of the bytes a terminal sends.

export type Key =
  | { name: "up" | "down" | "left" | "right" | "home" | "end" | "pageup" | "pagedown" }
  | { name: "enter" | "backspace" | "escape" | "interrupt" }
  | { name: "character"; character: string };

const names: Record<string, Key> = {
  "\x1b[A": { name: "up" },
  "\x1bOA": { name: "up" },
  "\x1b[B": { name: "down" },
  "\x1bOB": { name: "down" },
  "\x1b[C": { name: "right" },
  "\x1bOC": { name: "right" },
  "\x1b[D": { name: "left" },
  "\x1bOD": { name: "left" },
  "\x1b[5~": { name: "pageup" },
  "\x1b[6~": { name: "pagedown" },
  "\x1b[H": { name: "home" },
  "\x1bOH": { name: "home" },
  "\x1b[1~": { name: "home" },
  "\x1b[F": { name: "end" },
  "\x1bOF": { name: "end" },
  "\x1b[4~": { name: "end" },
  "\r": { name: "enter" },
  "\n": { name: "enter" },
  "\x7f": { name: "backspace" },
  "\b": { name: "backspace" },
  "\x1b": { name: "escape" },
  "\x03": { name: "interrupt" },
  "\x04": { name: "interrupt" },
};

/** Milliseconds in which the rest of a sequence follows an escape. */
const together = 50;

/** Calls `onKey` for each key until the returned function is called, which hands the terminal back as it was. */
export function readKeys(input: NodeJS.ReadStream, onKey: (key: Key) => void): () => void {
  let pending = "";
  let waiting: NodeJS.Timeout | undefined;
  let stopped = false;

  function take(): void {
    const pattern = /^(?:\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|[\s\S])/u;
    while (pending !== "" && !stopped) {
      const [sequence] = pattern.exec(pending)!;
      pending = pending.slice(sequence.length);
      const known = names[sequence];
      if (known) onKey(known);
      else if (!sequence.startsWith("\x1b") && sequence >= " ") onKey({ name: "character", character: sequence });
    }
  }

  function onData(data: Buffer): void {
    clearTimeout(waiting);
    pending += data.toString("utf8");
    // An escape alone may be the key, or the beginning of an arrow that comes in two pieces.
    if (/\x1b(?:\[[0-9;]*|O)?$/.test(pending)) waiting = setTimeout(take, together);
    else take();
  }

  input.setRawMode(true);
  input.on("data", onData);
  input.resume();
  return () => {
    stopped = true;
    clearTimeout(waiting);
    input.off("data", onData);
    input.setRawMode(false);
    input.pause();
    // What was typed ahead belongs to whoever reads next.
    if (pending !== "") input.unshift(Buffer.from(pending));
  };
}
