// The whole screen, lent for a while: the other one comes back as it was, however this ends. Only lines that changed are written.

export interface Canvas {
  readonly size: { columns: number; rows: number };
  paint(lines: readonly string[], cursor?: { row: number; column: number }): void;
  leave(): void;
}

const enter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[H\x1b[2J";
const leaveText = "\x1b[?7h\x1b[?25h\x1b[?1049l";
const signals = ["SIGTERM", "SIGHUP"] as const;

/** `onEnd` is called before a signal ends the program. */
export function openCanvas(output: NodeJS.WriteStream, onResize: () => void, onEnd: () => void): Canvas {
  let painted: string[] = [];
  let open = true;
  const restore = (): void => void (open && output.write(leaveText));
  const end = (signal: NodeJS.Signals): void => {
    onEnd();
    leave();
    process.kill(process.pid, signal);
  };
  const resized = (): void => {
    painted = [];
    output.write("\x1b[2J");
    onResize();
  };
  const leave = (): void => {
    if (!open) return;
    restore();
    open = false;
    output.off("resize", resized);
    process.off("exit", restore);
    for (const signal of signals) process.off(signal, end);
  };

  output.write(enter);
  output.on("resize", resized);
  process.on("exit", restore);
  for (const signal of signals) process.on(signal, end);
  return {
    get size() {
      return { columns: output.columns || 80, rows: output.rows || 24 };
    },
    paint(lines, cursor) {
      if (!open) return;
      const changed = lines.flatMap((line, row) =>
        line === painted[row] ? [] : [`\x1b[${row + 1};1H\x1b[2K${line}\x1b[0m`],
      );
      painted = [...lines];
      // Where nobody types it rests at the top: a terminal that gets lower then drops lines from the other end.
      const place = cursor ? `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h` : "\x1b[?25l\x1b[H";
      // Terminals that know the first and last of these show the rest at once.
      output.write(`\x1b[?2026h${changed.join("")}${place}\x1b[?2026l`);
    },
    leave,
  };
}
