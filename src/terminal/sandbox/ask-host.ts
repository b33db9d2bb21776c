// The question about a host that no rule speaks of, while a block runs: one line, and what is remembered is said in full.

import type { WrittenRule } from "../../settings/index.ts";
import { askScope, type ScopeAnswer, type ScopeScreen } from "./ask-scope.ts";

export interface HostQuestion {
  host: string;
  port: number;
  language?: string | undefined;
  code?: string | undefined;
}

/** Without a screen nobody can answer, and the answer is no. Never rejects. */
export async function askHost(
  question: HostQuestion,
  screen: ScopeScreen | undefined,
  signal: AbortSignal,
): Promise<ScopeAnswer> {
  if (!screen || signal.aborted) return "no";
  const rule = ruleFor(question);
  const who = question.language ? `${question.language} code` : "Code";
  return askScope(screen, signal, {
    rule,
    what: `${who} wants to reach ${rule.pattern}.`,
    ask: "Let it?",
    once: "this one time",
    no: `It is not let through. To allow it later: /allow host ${rule.pattern}`,
    short: "o lets it through once, c for this conversation, a always, n does not, ? says more.",
    help: [help(rule.pattern), ...naming(question).map((line) => `  ${line}`)],
  });
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
