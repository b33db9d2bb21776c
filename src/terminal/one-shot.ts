// One task from the command line: said, carried out, shown; then the program ends with a code that tells how.

import { openSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { Approve, Ask, TurnEnd } from "../agent/index.ts";
import { Interpreter, type InterpreterOptions } from "../interpreter/index.ts";
import type { Settings } from "../settings/index.ts";
import { askApproval } from "./ask-approval.ts";
import { followTurn, interruptTwice } from "./follow.ts";
import { terminalLender } from "./lend-terminal.ts";
import { LineReader } from "./line-reader.ts";
import { createView } from "./view.ts";

export const exitCodes: Record<TurnEnd, number> = {
  done: 0,
  failed: 1,
  refused: 0,
  nobody: 3,
  limit: 4,
  interrupted: 130,
};

export async function runOneShot(
  said: string,
  piped: string,
  settings: Settings,
  options: InterpreterOptions,
): Promise<number> {
  const keyboard = settings.json || !process.stdout.isTTY ? undefined : openKeyboard();
  const lines = keyboard && new LineReader(keyboard, process.stdout);
  const view = createView(settings, {
    typing: () => lines?.typing ?? false,
    pictureFile: () => interpreter.fileFor(`picture-${++pictures}.png`),
  });
  let pictures = 0;
  const approve: Approve = async (block, signal) => {
    if (!lines) return { type: "nobody" };
    view.settle();
    const extension = interpreter.sessions.find(block.language)?.extension ?? "txt";
    return askApproval(block, extension, lines, view.style, signal);
  };
  const ask: Ask = async (prompt, hidden, signal) =>
    lines ? ((await lines.line(prompt, { hidden, signal })) ?? null) : null;
  const lendTerminal = lines && terminalLender(lines, view);
  await using interpreter = new Interpreter({ ...options, approve, ask, ...(lendTerminal && { lendTerminal }) });

  const interrupt = interruptTwice(() => interpreter.interrupt());
  process.on("SIGINT", interrupt);
  if (lines) {
    lines.onInterrupt = interrupt;
    lines.onStray = (line) => interpreter.say(line);
  }
  try {
    return exitCodes[await followTurn(interpreter, withPiped(said, piped, interpreter), view)];
  } finally {
    lines?.close();
  }
}

/** Where the person types: standard input, or the terminal itself when something was piped in. */
function openKeyboard(): NodeJS.ReadStream | undefined {
  if (process.stdin.isTTY) return process.stdin;
  try {
    return new ReadStream(openSync("/dev/tty", "r"));
  } catch {
    return undefined;
  }
}

const inlinePiped = 20_000;

/** What was piped in goes along with the words: itself when it is short, otherwise as a file with its beginning. */
function withPiped(said: string, piped: string, interpreter: Interpreter): string {
  if (piped.trim() === "") return said;
  const short = piped.length <= inlinePiped;
  if (said === "" && short) return piped.trim();
  if (short) return `${said}\n\nThis was piped in:\n\n${piped}`;
  const path = interpreter.attach("piped.txt", piped);
  return `${said}\n\n${piped.length} characters were piped in. They are in ${path}\nThey begin with:\n\n${piped.slice(0, 2_000)}`.trim();
}
