// A rule in a sentence: exactly what it lets code do, or keeps it from doing, and for how long.

import { splitPort } from "./host-pattern.ts";
import type { RuleKind, Scope, Verdict, WrittenRule } from "./rule.ts";

export function ruleWords(rule: WrittenRule): string {
  return `${beginnings[rule.kind][rule.verdict]} ${meant(rule)}`;
}

const beginnings: Record<RuleKind, Record<Verdict, string>> = {
  read: { allow: "code may read", ask: "you are asked before code reads", deny: "code may not read" },
  write: { allow: "code may write", ask: "you are asked before code writes", deny: "code may not write" },
  host: { allow: "code may reach", ask: "you are asked before code reaches", deny: "code may not reach" },
  command: { allow: "code may run", ask: "you are asked before code runs", deny: "code may not run" },
  language: { allow: "code may run in", ask: "you are asked before code runs in", deny: "code may not run in" },
};

function meant({ verdict, kind, pattern }: WrittenRule): string {
  if (kind === "host") return hostWords(pattern, verdict);
  if (kind === "language") return pattern === "*" ? "any language" : pattern;
  if (kind === "command")
    return pattern.endsWith(" *")
      ? `commands that begin with ${pattern.slice(0, -2)}`
      : `the command ${pattern}, with exactly these words`;
  return `${pattern} and what is below it`;
}

function hostWords(pattern: string, verdict: Verdict): string {
  const { host, port } = pattern.includes("/") ? splitNetwork(pattern) : splitPort(pattern);
  const on = port === undefined ? "on any port" : `on port ${port}`;
  if (host === "*")
    return verdict === "allow" ? `every host ${on}, except this machine and private networks` : `any host ${on}`;
  if (host.startsWith("*.")) return `every host below ${host.slice(2)} ${on}`;
  return `${host.includes("/") ? `the addresses ${host}` : host} ${on}`;
}

function splitNetwork(pattern: string): { host: string; port: number | undefined } {
  const [, host = pattern, port] = /^(.*\/\d+):(\d+)$/.exec(pattern) ?? [];
  return { host, port: port === undefined ? undefined : Number(port) };
}

export const scopeWords: Record<Scope, string> = {
  once: "for the next step",
  conversation: "until this conversation is left",
  always: "from now on, in every conversation",
};
