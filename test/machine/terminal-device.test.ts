import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { openTerminalDevice } from "../../src/machine/index.ts";
import { isRunning } from "../support/session.ts";

test("what is typed reaches the program, whole, and closing the terminal ends nobody else", async () => {
  const bystander = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  const device = (await openTerminalDevice())!;
  let printed = "";
  device.onData((data) => {
    printed += data;
  });
  const program = spawn(
    "sh",
    [
      "-c",
      `: <>${device.path}; exec <>/dev/tty >&0 2>&0; while read -r line; do [ "$line" = end ] && exit; echo "got $line"; done`,
    ],
    { detached: true, stdio: "ignore" },
  );
  const ended = new Promise((resolve) => program.on("exit", resolve));
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
  for (const line of lines) device.write(`${line}\r`);
  device.write("end\r");
  await ended;
  while (!printed.includes("got line 199")) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const line of lines) expect(printed).toContain(`got ${line}\r\n`);
  device.close();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isRunning(bystander.pid!)).toBe(true);
  bystander.kill("SIGKILL");
});
