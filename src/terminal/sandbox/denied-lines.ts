// What the sandbox refused, for the person who looks on: what was tried, and how to allow it once, for the conversation, or always.

import { sanitize } from "../sanitize.ts";
import { ruleFor } from "./ask-host.ts";

export type Denied =
  | { kind?: "host"; host: string; port: number; why?: string | undefined }
  | { kind: "read" | "write"; path: string; why?: string | undefined };

const mostShown = 5;

/** `chat`: somebody is there who can type commands; otherwise flags are named. */
export function deniedLines(refusals: readonly Denied[], { chat }: { chat: boolean }): string[] {
  const told = refusals.slice(0, mostShown).flatMap((refused) => {
    const { kind, what } = named(refused);
    const tried = kind === "host" ? "reach" : kind;
    const why = refused.why ? `: ${refused.why.replace(/[.\s]+$/, "")}` : "";
    const how = chat
      ? `To allow it: /allow once ${kind} ${what}; for this conversation: /allow ${kind} ${what}; always: /allow always ${kind} ${what}`
      : `To allow it: --allow_${kind} ${quoted(what)} for one run; always: a rule "allow ${kind} ${what}", see interpreter rules check ${kind} ${quoted(what)}`;
    return [`The sandbox did not let code ${tried} ${what}${why}.`, `  ${how}`].map(sanitize);
  });
  const left = refusals.length - mostShown;
  return left > 0 ? [...told, `And ${left} more.`] : told;
}

function named(refused: Denied): { kind: "host" | "read" | "write"; what: string } {
  if ("host" in refused) return { kind: "host", what: ruleFor(refused).pattern };
  return { kind: refused.kind, what: refused.path };
}

/** As a shell takes it for one word. */
const quoted = (text: string): string => (/^[\w./:@~+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
