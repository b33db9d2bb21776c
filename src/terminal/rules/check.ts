// Explains decisions: what would become of something that code wants to do, which rule says so, and how to change it.

import { InputProblem, type Judgement, openRules, type RuleKind, type Subject } from "../../settings/index.ts";
import { sanitize } from "../sanitize.ts";
import type { Style } from "../style.ts";
import type { Standing } from "./standing.ts";

export interface Checked extends Judgement {
  kind: RuleKind;
  /** What was asked about, as a rule would name it. */
  what: string;
}

export interface Check {
  checked: Checked[];
  /** Something in a command is only known when it runs. */
  unclear: boolean;
}

/** `host example.org`, `write ~/a.csv`, or a command. */
export async function check(
  words: readonly string[],
  standing: Standing,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Check> {
  const { kinds, pathPlaces, subjectOf } = await openRules();
  const [first = "", ...rest] = words.join(" ").trim().split(/\s+/);
  if (first === "") throw new InputProblem("Check what?", usage);
  const kind = kinds.find((each) => each === first);
  if (!kind || kind === "command" || rest.length === 0)
    return ofCommand(kind ? rest.join(" ") || first : words.join(" "), standing, cwd, env);
  const written = words.join(" ").trim().slice(first.length).trim();
  const subject = subjectOf(kind, written, pathPlaces(cwd, env));
  if (!subject) throw new InputProblem(`${JSON.stringify(written)} is no ${kind}.`, usage);
  return { checked: [await one(subject, standing, env)], unclear: false };
}

const usage =
  'For example: interpreter rules check host example.org, or: interpreter rules check "curl https://example.org/x"';

/** A command itself, the hosts that its words name, and the files that its output goes to. */
async function ofCommand(line: string, standing: Standing, cwd: string, env: NodeJS.ProcessEnv): Promise<Check> {
  const { hostOf, pathPlaces, splitCommands, subjectOf } = await openRules();
  const { commands, unclear } = splitCommands(line);
  if (commands.length === 0) throw new InputProblem("Check what?", usage);
  const places = pathPlaces(cwd, env);
  const subjects = commands.flatMap(({ words, reads, writes }): Subject[] => [
    ...(words.length > 0 ? [{ kind: "command" as const, words }] : []),
    ...words.flatMap((word) => hostOf(/[a-z][a-z0-9+.-]*:\/\/\S+/i.exec(word)?.[0] ?? "") ?? []),
    ...reads.flatMap((path) => subjectOf("read", path, places) ?? []),
    ...writes.flatMap((path) => subjectOf("write", path, places) ?? []),
  ]);
  return { checked: await Promise.all(subjects.map((subject) => one(subject, standing, env))), unclear };
}

async function one(subject: Subject, standing: Standing, env: NodeJS.ProcessEnv): Promise<Checked> {
  const { pathPlaces, shortened } = await openRules();
  const what =
    subject.kind === "host"
      ? withPort(subject.host, subject.port)
      : subject.kind === "command"
        ? subject.words.join(" ")
        : subject.kind === "language"
          ? subject.name
          : shortened(subject.path, pathPlaces("/", env).home);
  return { kind: subject.kind, what, ...(await standing.decide(subject)) };
}

const withPort = (host: string, port: number | undefined): string =>
  port === undefined ? host : `${host.includes(":") ? `[${host}]` : host}:${port}`;

export function* checkLines({ checked, unclear }: Check, rulesPath: string, style: Style): Generator<string> {
  const paint = { allow: style.green, ask: style.yellow, deny: style.red };
  for (const each of checked) {
    const { verdict, kind, what, because, rule } = each;
    yield `${paint[verdict](verdict.padEnd(5))}  ${kind} ${sanitize(what)}\n`;
    yield `       because ${sanitize(because)}\n`;
    if (rule !== undefined) yield `       ${sanitize(rule)}\n`;
    for (const line of howToChange(each, rulesPath)) yield style.dim(`       ${sanitize(line)}\n`);
  }
  if (unclear) yield style.dim("Parts of this are only known when it runs; they are not in the answer.\n");
}

function howToChange({ verdict, kind, what, rule, because }: Checked, path: string): string[] {
  const entry = (other: string): string => `- ${other}: { ${kind}: ${JSON.stringify(what)} }`;
  if (verdict === "allow")
    return rule === undefined ? [`To forbid it: /deny ${kind} ${what}, or in ${path}: ${entry("deny")}`] : [];
  if (rule !== undefined) return [`To change it: edit that rule; a rule that allows does not outweigh it.`];
  if (/^(code never writes|what is written there|with --sandbox strict|strict shows)/.test(because)) return [];
  const asks = verdict === "ask" ? ["Where nobody can answer, it is refused."] : [];
  const flag = kind === "command" || kind === "language" ? "" : `--allow_${kind} ${what} for one run, `;
  return [...asks, `To allow it: ${flag}/allow ${kind} ${what} in the chat, or in ${path}: ${entry("allow")}`];
}
