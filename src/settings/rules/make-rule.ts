// Makes a rule of what somebody wrote: the pattern is read, and what it covers is known.

import { homedir } from "node:os";
import { InputProblem } from "../problem.ts";
import { readCommandPattern } from "./command-pattern.ts";
import { readHost } from "./host.ts";
import { matchesHost, readHostPattern } from "./host-pattern.ts";
import { absolute, type PathPlaces, readPathPattern, realPath } from "./path-pattern.ts";
import type { Rule, RuleOrigin, Subject, WrittenRule } from "./rule.ts";

export const pathPlaces = (cwd: string, env: NodeJS.ProcessEnv): PathPlaces => ({ cwd, home: env.HOME ?? homedir() });

export interface MakeOptions {
  places: PathPlaces;
  /** Begins the message of a problem: `rules.yaml:3: `. */
  where?: string;
  /** Written in a shell or in the chat, where a bare name is one in the working folder. */
  loose?: boolean;
}

/** Throws InputProblem for a pattern that means nothing. */
export function makeRule(written: WrittenRule, origin: RuleOrigin, options: MakeOptions): Rule {
  const { pattern, covers } = read(written, options);
  return { ...written, pattern, origin, covers };
}

function read({ verdict, kind, pattern: text }: WrittenRule, options: MakeOptions): Pick<Rule, "pattern" | "covers"> {
  const { places, where = "", loose = false } = options;
  // What forbids or asks is read widely, and what allows only by its words.
  const widely = verdict !== "allow";
  if (kind === "host") {
    const pattern = readHostPattern(text, where);
    const covers = (subject: Subject): boolean =>
      subject.kind === "host" &&
      [subject.host, ...(widely ? (subject.addresses ?? []) : [])].some((each) => {
        const host = readHost(each);
        return host !== undefined && matchesHost(pattern, host, subject.port, widely);
      });
    return { pattern: pattern.text, covers };
  }
  if (kind === "command") {
    const pattern = readCommandPattern(text, where);
    return {
      pattern: pattern.text,
      covers: (subject) => subject.kind === "command" && pattern.matches(subject.words, widely),
    };
  }
  if (kind === "language") {
    const name = text.trim().toLowerCase();
    if (!/^(\*|[a-z][\w+#.-]*)$/.test(name))
      throw new InputProblem(
        `${where}${JSON.stringify(text)} is no language.`,
        "For example: python, shell, applescript, or *.",
      );
    return {
      pattern: name,
      covers: (subject) => subject.kind === "language" && (name === "*" || subject.name.toLowerCase() === name),
    };
  }
  const pattern = readPathPattern(text, places, where, loose);
  const covers = (subject: Subject): boolean => {
    if (subject.kind !== kind) return false;
    const path = absolute(subject.path, places);
    return pattern.matches(realPath(path)) || (widely && pattern.matches(path));
  };
  return { pattern: pattern.text, covers };
}
