// What a rule is: something that code wants to do, and whether it may.

export const verdicts = ["allow", "ask", "deny"] as const;
export type Verdict = (typeof verdicts)[number];

export const kinds = ["read", "write", "host", "command", "language"] as const;
export type RuleKind = (typeof kinds)[number];

/** Something that code wants to do. */
export type Subject =
  /** `addresses` are those that the name was found to have, where somebody has looked. */
  | { kind: "host"; host: string; port?: number | undefined; addresses?: readonly string[] }
  | { kind: "read" | "write"; path: string }
  | { kind: "command"; words: readonly string[] }
  | { kind: "language"; name: string };

/** As somebody says it: `allow`, `host`, `*.example.org`. */
export interface WrittenRule {
  verdict: Verdict;
  kind: RuleKind;
  pattern: string;
  because?: string | undefined;
}

export type RuleOrigin =
  | { from: "file"; path: string; line: number }
  | { from: "flag"; name: string }
  | { from: "conversation" }
  | { from: "once" };

/** How long something said in the chat holds: for the next step, until the conversation is left, or from now on. */
export type Scope = "once" | "conversation" | "always";

export interface Rule extends WrittenRule {
  origin: RuleOrigin;
  /** Whether it speaks of this. */
  covers(subject: Subject): boolean;
}

export interface Judgement {
  verdict: Verdict;
  /** In words that can stand after "because". */
  because: string;
  /** Where the rule stands; absent when no rule speaks of it. */
  rule?: string;
}

export function originOf(origin: RuleOrigin): string {
  if (origin.from === "file") return `${origin.path}:${origin.line}`;
  if (origin.from === "flag") return origin.name;
  return origin.from === "once" ? "said in this chat, for the next step" : "said in this conversation";
}

/** `allow host *.example.org` */
export const ruleText = ({ verdict, kind, pattern }: WrittenRule): string => `${verdict} ${kind} ${pattern}`;
