// `wtf`: explains the last command of the person's shell that failed, and offers a better one. It never runs the failed one again.

import { existsSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Block, Decision } from "../../agent/index.ts";
import { type CommandLine, InputProblem, type Settings } from "../../settings/index.ts";
import { runOneShot } from "../one-shot.ts";
import { sanitize } from "../sanitize.ts";
import { factsAbout } from "./facts.ts";
import { type HookShell, howToHook } from "./hook.ts";
import { withoutSecrets } from "./mask.ts";
import { askAbout } from "./message.ts";
import { readRecord } from "./record.ts";
import { outputOf } from "./screen-text.ts";

export interface WtfCall {
  words: readonly string[];
  line: CommandLine;
  settings(): Promise<Settings>;
  readPiped(): Promise<string>;
}

export async function runWtf({ words, line, settings: load, readPiped }: WtfCall): Promise<number> {
  const { env } = process;
  const settings = await load();
  const piped = process.stdin.isTTY ? "" : (await readPiped()).trim().slice(-20_000);
  const shell = basename(env.SHELL ?? "sh");
  const record = piped ? undefined : readRecord(env, process.ppid);
  if (!piped && record === undefined) throw withoutHook(shell);
  if (record === "none yet")
    throw new InputProblem("No command of this shell has failed yet.", "wtf explains the last one that did.");
  const shown = record && { ...record, command: withoutSecrets(record.command, env, record.folder) };
  if (record && !settings.json) {
    const unsure = record.sure ? "" : " (or one that began with a space, which is not known)";
    process.stdout.write(`${sanitize(shown!.command)}${unsure}: exit code ${record.code}\n`);
  }
  const facts = shown ? await factsAbout(shown, env) : [];
  const output = piped || (record && (await outputOf(record.command, env)));
  const message = askAbout({ shell, failed: shown, facts, output, words: words.join(" ").trim() }, env);
  const { wtfModel, model } = settings;
  // Code that runs unasked was allowed for tasks, not for what comes of a slip; who wants it here says so here.
  const { autoRun = false, approveWhat = autoRun ? "never" : "code" } = line.choices;
  const chosen = { ...settings, model: wtfModel ?? model, autoRun: approveWhat === "never", approveWhat };
  const cwd = record && existsSync(record.folder) ? record.folder : process.cwd();
  const options = { ...chosen, cwd, conversation: true };
  return runOneShot(message, "", chosen, options, { handOver });
}

/** The block goes to the prompt of the person's own shell, where the hook waits for it, or is printed as it is. */
function handOver({ language, code }: Block): Decision | undefined {
  if (language !== "shell") return undefined;
  const next = process.env.INTERPRETER_WTF_NEXT;
  // Nothing in it may be a key press to the shell that takes it.
  const command = sanitize(code).trim();
  if (next) writeFileSync(next, command, { mode: 0o600 });
  else if (process.stdout.isTTY) process.stdout.write(`${command}\n`);
  return { type: "refuse" };
}

function withoutHook(shell: string): InputProblem {
  const known = (Object.keys(howToHook) as HookShell[]).find((each) => each === shell);
  return new InputProblem(
    "wtf does not know what you ran: this shell does not tell it.",
    known
      ? `Let it, in shells that you open from now on: ${howToHook[known]}\nOr show it what was printed: COMMAND 2>&1 | wtf`
      : "Bash, zsh and fish can: interpreter hook bash|zsh|fish. Or show it what was printed: COMMAND 2>&1 | wtf",
  );
}
