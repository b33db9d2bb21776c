// One task from the command line: said, carried out, shown; then the program ends with a code that tells how.

import { openSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { Approve, ApproveEffects, Ask, Block, Decision } from "../agent/index.ts";
import { type AskBudget, Interpreter, type InterpreterOptions } from "../interpreter/index.ts";
import type { Settings } from "../settings/index.ts";
import { approvalScreen, askApproval } from "./ask-approval.ts";
import { raiseBudget } from "./ask-budget.ts";
import { keyAsker } from "./ask-key.ts";
import { runAgainAsker } from "./ask-run-again.ts";
import { loadAskEffects } from "./effects/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { followTurn, interruptTwice } from "./follow.ts";
import { mayNameImages } from "./image-names.ts";
import { terminalLender } from "./lend-terminal.ts";
import { OpenQuestion } from "./open-question.ts";
import { ShownFiles } from "./pictures/index.ts";
import { sandboxAsking } from "./sandbox/index.ts";
import { createView, type View } from "./view.ts";

export interface OneShotExtras {
  /** Gives a block to somebody else instead of running it: the person's own shell. Undefined when it cannot be given. */
  handOver?: (block: Block) => Decision | undefined;
}

export async function runOneShot(
  said: string,
  piped: string,
  settings: Settings,
  options: InterpreterOptions,
  { handOver }: OneShotExtras = {},
): Promise<number> {
  const answer = settings.outputSchema === undefined ? undefined : await import("./answer.ts");
  const schema = await answer?.readSchema(settings.outputSchema!);
  // Where an answer is all that is printed, the person is spoken to beside it.
  const screen = answer ? process.stderr : process.stdout;
  const asking = !settings.json && settings.interactive !== false && screen.isTTY;
  const keyboard = asking ? openKeyboard() : undefined;
  // Where nobody can type, nothing is loaded to read lines with.
  const reader = keyboard && (await import("./line-reader.ts"));
  const lines = keyboard && reader && new reader.LineReader(keyboard, screen, { plain: settings.plain ?? false });
  const view = createView(settings, {
    screen,
    typing: () => lines?.typing ?? false,
    typedAhead: () => lines?.typedAhead ?? "",
    files: new ShownFiles((name) => interpreter.fileFor(name)),
  });
  const approve: Approve = async (block, signal) => {
    if (!lines) return handOver?.(block) ?? { type: "nobody" };
    return askApproval(block, { ...approvalScreen(interpreter, lines, view), ...(handOver && { handOver }) }, signal);
  };
  const open = new OpenQuestion();
  const approveEffects: ApproveEffects = async (question, signal) => {
    if (!lines) return { type: "nobody" };
    const { askEffects, effectsScreen } = await loadAskEffects();
    const shown = effectsScreen(lines, view, screen);
    return open.ask(signal, (stopped) => askEffects(question, shown, stopped));
  };
  const ask: Ask = async (prompt, hidden, signal) =>
    lines ? ((await lines.line(prompt, { hidden, signal })) ?? null) : null;
  const askBudget: AskBudget | undefined = lines && ((over, signal) => raiseBudget(over, lines, signal));
  const askKey = lines && keyAsker(lines, () => view.settle());
  const lendTerminal = lines && terminalLender(lines, view);
  await using interpreter = new Interpreter({
    ...options,
    approve,
    approveEffects,
    ask,
    tables: view.live,
    ...(askBudget && { askBudget }),
    ...(askKey && { askKey }),
    ...(lines && { askRunAgain: runAgainAsker(lines, () => view), ...sandboxAsking(lines, () => view) }),
    ...(lendTerminal && { lendTerminal }),
  });

  if (settings.verbose) interpreter.trace = (await import("./trace-lines.ts")).traceTo(view);
  const stopOrEnd = interruptTwice(() => interpreter.interrupt());
  const interrupt = () => (open.end() ? interpreter.interrupt() : stopOrEnd());
  process.on("SIGINT", interrupt);
  if (lines) {
    lines.onInterrupt = interrupt;
    lines.onStray = (line) => {
      if (line.trim() !== "") interpreter.say(line);
    };
  }
  try {
    await attachNamed(said, interpreter, view);
    const message = withPiped(said, piped, interpreter);
    if (answer) return await answer.followAnswer(interpreter, message, schema!, view, settings.json ?? false);
    return exitCodes[await followTurn(interpreter, message, view)];
  } finally {
    lines?.close();
  }
}

async function attachNamed(said: string, interpreter: Interpreter, view: View): Promise<void> {
  if (!mayNameImages(said)) return;
  const { attachImages, findImages } = await import("./images.ts");
  await attachImages(interpreter, findImages(said, interpreter.cwd), view);
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
