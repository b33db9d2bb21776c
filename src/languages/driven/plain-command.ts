// Commands for drivers in languages that cannot read JSON: a line of words, followed by as many bytes as it says.
//
//   nonce NONCE                     once, first
//   run ID BYTES NAME               and the code
//   answer ID BYTES                 and the text; `-` for BYTES when nobody can answer
//
// Events stay JSON: writing it takes three lines in any language.

import type { DriverCommand } from "../driver-protocol.ts";

export function plainCommand(command: DriverCommand | { nonce: string }): string {
  if (!("op" in command)) return `nonce ${command.nonce}\n`;
  if (command.op === "run")
    return `run ${command.id} ${Buffer.byteLength(command.code)} ${command.name}\n${command.code}`;
  if (command.op === "answer") {
    if (command.text === null) return `answer ${command.id} -\n`;
    return `answer ${command.id} ${Buffer.byteLength(command.text)}\n${command.text}`;
  }
  // These drivers do nothing while a block runs, so they are interrupted by signal.
  return "";
}
