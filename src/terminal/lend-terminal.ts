// Lends the person's terminal to a program that needs one: keys go to it, and what it draws is shown as it is.

import type { LendTerminal } from "../languages/index.ts";
import type { LineReader } from "./line-reader.ts";
import type { View } from "./view.ts";

export function terminalLender(lines: LineReader, view: View): LendTerminal {
  return (device) => {
    const { stdin, stdout } = process;
    view.settle();
    const resume = lines.suspend();
    const takeSize = () => device.resize(stdout.columns ?? 80, stdout.rows ?? 24);
    const type = (keys: Buffer) => device.write(keys.toString("utf8"));
    takeSize();
    stdout.on("resize", takeSize);
    let last = "";
    device.onData((data) => {
      stdout.write(data);
      last = data;
    });
    stdin.setRawMode(true);
    stdin.on("data", type);
    stdin.resume();
    return () => {
      device.onData(() => {});
      // The program may have left the cursor behind some text.
      if (/[^\s\x1b]$/.test(last) && !last.includes("\x1b[?1049l")) stdout.write("\r\n");
      stdin.off("data", type);
      stdout.off("resize", takeSize);
      stdin.setRawMode(false);
      resume();
    };
  };
}
