// The rules that hold: the person's file, the flags of this start, and what was said in the conversation. A project has no say in them.

import { join } from "node:path";
import type { Choices } from "../options/index.ts";
import type { Places } from "../places.ts";
import { judge } from "./judge.ts";
import { keepRule } from "./keep-rule.ts";
import { makeRule, pathPlaces } from "./make-rule.ts";
import { expand, readPathPattern, realPath } from "./path-pattern.ts";
import { readRulesFile } from "./read-file.ts";
import {
  type Judgement,
  originOf,
  type Rule,
  type Scope,
  type Subject,
  type Verdict,
  type WrittenRule,
} from "./rule.ts";
import { ruleWords, scopeWords } from "./words.ts";

export interface MoreRules {
  /** What `./` means, and what bare names mean that are written in a shell or in the chat. */
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Flags of this start. */
  choices?: Pick<Choices, "allowHost" | "allowWrite" | "allowRead">;
}

export interface Rules {
  /** The file that is read, and that `always` adds to. */
  readonly path: string;
  /** All that hold now. */
  list(): readonly Rule[];
  judge(subject: Subject): Judgement;
  /**
   * Folders and files for the walls of a sandbox. Patterns become what is there now. With `deny` also what is asked about, since a
   * wall cannot ask, and where we keep things ourselves.
   */
  paths(kind: "read" | "write", verdict: "allow" | "deny"): string[];
  /** Adds a rule and says in words what it means. With `always` it is in the file when this resolves. */
  remember(rule: WrittenRule, scope: Scope): Promise<string>;
  /** What was said for the next step, or for this conversation, holds no more. */
  forget(scope: "once" | "conversation"): void;
}

/** Throws InputProblem when something in the file or in a flag is wrong; then no rule of it may be taken for granted. */
export async function loadRules({ config, data }: Places, more: MoreRules = {}): Promise<Rules> {
  const { cwd = process.cwd(), env = process.env, choices = {} } = more;
  const places = pathPlaces(cwd, env);
  const path = join(config, "rules.yaml");
  const own = [config, data];
  let filed = await readRulesFile(path, places);
  const flags = flagRules(choices).map(({ flag, ...written }) =>
    makeRule(written, { from: "flag", name: flag }, { places, where: `${flag}: `, loose: true }),
  );
  let said: Rule[] = [];
  const list = (): readonly Rule[] => [...filed, ...flags, ...said];
  const judged = (subject: Subject): Judgement => judge(subject, { rules: list(), places, own });
  return {
    path,
    list,
    judge: judged,
    paths(kind, verdict) {
      const wanted = list().filter(
        (rule) => rule.kind === kind && (rule.verdict === "allow") === (verdict === "allow"),
      );
      const found = wanted.flatMap(({ pattern }) => expand(readPathPattern(pattern, places, ""))).map(realPath);
      if (verdict === "allow") return unique(found.filter((each) => judged({ kind, path: each }).verdict === "allow"));
      return unique(kind === "write" ? [...own.map(realPath), ...found] : found);
    },
    async remember(written, scope) {
      const origin = scope === "always" ? { from: "file" as const, path, line: 0 } : { from: scope };
      const rule = makeRule(written, origin, { places, loose: true });
      if (scope === "always") {
        await keepRule(path, rule, places);
        filed = await readRulesFile(path, places);
      } else said = [...said, rule];
      const where = scope === "always" ? ` It stands in ${path}.` : "";
      const stricter = strictestOver(rule, list());
      return `${capital(`${scopeWords[scope]}, ${ruleWords(rule)}.`)}${where}${stricter ? ` ${stricter}` : ""}`;
    },
    forget(scope) {
      said = said.filter(({ origin }) => origin.from !== scope);
    },
  };
}

function flagRules({ allowHost = [], allowWrite = [], allowRead = [] }: NonNullable<MoreRules["choices"]>) {
  const each = (kind: "host" | "write" | "read", patterns: readonly string[]) =>
    patterns.map((pattern) => ({ verdict: "allow" as const, kind, pattern, flag: `--allow_${kind}` }));
  return [...each("host", allowHost), ...each("write", allowWrite), ...each("read", allowRead)];
}

const order: readonly Verdict[] = ["deny", "ask", "allow"];

/** A stricter rule with the same words makes the new one worth nothing, and whoever said it must know. */
function strictestOver(rule: Rule, rules: readonly Rule[]): string | undefined {
  const over = rules.find(
    ({ kind, pattern, verdict }) =>
      kind === rule.kind && pattern === rule.pattern && order.indexOf(verdict) < order.indexOf(rule.verdict),
  );
  return (
    over &&
    `But a stricter rule holds all the same: ${over.verdict} ${over.kind} ${over.pattern} (${originOf(over.origin)}).`
  );
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)];

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
