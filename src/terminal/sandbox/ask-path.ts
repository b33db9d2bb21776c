// The question about something that the walls of the sandbox kept from a block: whether code may from now on.

import { askScope, type ScopeAnswer, type ScopeScreen } from "./ask-scope.ts";

export interface PathQuestion {
  kind: "read" | "write";
  /** What was tried. */
  path: string;
  /** What would be allowed: the same, or the folder that it would be in. */
  allow: string;
}

export function askPath(
  { kind, path, allow }: PathQuestion,
  screen: ScopeScreen,
  signal: AbortSignal,
): Promise<ScopeAnswer> {
  const rule = `${kind} ${allow}`;
  return askScope(screen, signal, {
    rule: { verdict: "allow", kind, pattern: allow },
    what: `The sandbox did not let code ${kind} ${path}.`,
    ask: allow === path ? "Allow it?" : `Allow it to ${kind} in ${allow}?`,
    once: "for the next step",
    no: `It stays so. To allow it later: /allow ${rule}, or /allow always ${rule}`,
    short: "o allows it for the next step, c for this conversation, a always, n does not, ? says more.",
    help: [
      `o allows it for the next step, so that the block can be run again. c allows it until this conversation is left. a writes the rule "allow ${rule}" into your rules, for every conversation. n leaves all as it is. The model hears what you said.`,
    ],
  });
}
