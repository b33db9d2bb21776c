// The question about a host that no rule speaks of, while a block runs: one line, and what is remembered is said in full.

import { openRules, type Scope, type WrittenRule } from "../../settings/index.ts";
import type { LineReader } from "../line-reader.ts";
import { sanitize } from "../sanitize.ts";
import type { Style } from "../style.ts";
import { foldWords } from "../text/fold-words.ts";
import type { View } from "../view.ts";

export interface HostQuestion {
  host: string;
  port: number;
  language?: string | undefined;
  code?: string | undefined;
}

export type HostAnswer = Scope | "no";

export interface HostScreen {
  lines: LineReader;
  style: Style;
  print(text: string): void;
  /** Ends the line that is being shown. */
  settle(): void;
  columns(): number;
}

export const hostScreen = (lines: LineReader, { style, print, settle }: View): HostScreen => ({
  lines,
  style,
  print,
  settle,
  columns: () => process.stdout.columns || 80,
});

/** Without a screen nobody can answer, and the answer is no. Never rejects. */
export async function askHost(
  question: HostQuestion,
  screen: HostScreen | undefined,
  signal: AbortSignal,
): Promise<HostAnswer> {
  if (!screen || signal.aborted) return "no";
  const { lines, style, print } = screen;
  const { ruleWords, scopeWords } = await openRules();
  const rule = ruleFor(question);
  const say = (text: string): void => print(style.dim(`${foldWords(sanitize(text), screen.columns() - 1)}\n`));
  const who = question.language ? `${question.language} code` : "Code";
  const prompt = `${style.bold(`${sanitize(who)} wants to reach ${sanitize(rule.pattern)}.`)} ${style.dim("Let it? o c a n ?:")} `;
  screen.settle();
  for (;;) {
    const written = await lines.line(prompt, { signal });
    if (written === undefined) return "no";
    const answer = readHostAnswer(written);
    if (answer === "explain") {
      say(help(rule.pattern));
      for (const line of naming(question)) say(`  ${line}`);
    } else if (answer === "no") {
      say(`It is not let through. To allow it later: /allow host ${rule.pattern}`);
      return "no";
    } else if (answer) {
      const kept = answer === "once" ? "this one time" : scopeWords[answer];
      say(`Remembered: ${kept}, ${ruleWords(rule)}.`.replace(/^Remembered: this/, "This"));
      return answer;
    } else say("o lets it through once, c for this conversation, a always, n does not, ? says more.");
  }
}

/** What an answer of `conversation` or `always` stands for: this host at this port, and nothing else. */
export const ruleFor = ({ host, port }: Pick<HostQuestion, "host" | "port">): WrittenRule => ({
  verdict: "allow",
  kind: "host",
  pattern: `${host.includes(":") ? `[${host}]` : host}:${port}`,
});

const help = (pattern: string): string =>
  `o lets it through this one time. c lets it through until this conversation is left. a writes the rule "allow host ${pattern}" into your rules, for every conversation. n does not let it through; code hears that it was refused. What is sent cannot be taken back.`;

const mostShown = 5;

/** The lines of the block that name the host. */
function naming({ host, code = "" }: HostQuestion): string[] {
  const rows = code.split("\n").map((row, index) => `${index + 1}  ${row.trim().slice(0, 200)}`);
  return rows.filter((row) => row.toLowerCase().includes(host.toLowerCase())).slice(0, mostShown);
}

/** A letter or a word; undefined when it means nothing and the question is asked again. */
export function readHostAnswer(written: string): HostAnswer | "explain" | undefined {
  const word = written
    .trim()
    .toLowerCase()
    .replace(/[.!,]+$/, "");
  if (["o", "once", "y", "yes", "ok", "this time"].includes(word)) return "once";
  if (["c", "conversation", "this conversation"].includes(word)) return "conversation";
  if (["a", "always"].includes(word)) return "always";
  if (["n", "no", "never", "deny", "refuse", "don't"].includes(word)) return "no";
  if (["?", "what", "why", "explain", "help"].includes(word)) return "explain";
  return undefined;
}
