// Reads rules.yaml. Whatever is wrong in it is an error that says where and what to do, and then nothing of the file is used.

import { readFileSync, statSync } from "node:fs";
import type { LineCounter, Node, Pair } from "yaml";
import { InputProblem, nearest } from "../problem.ts";
import { makeRule } from "./make-rule.ts";
import type { PathPlaces } from "./path-pattern.ts";
import { kinds, type Rule, type RuleKind, type Verdict, verdicts } from "./rule.ts";
import { subjectOf } from "./subject.ts";

interface Reading {
  path: string;
  places: PathPlaces;
  lines: LineCounter;
  yaml: typeof import("../yaml.ts");
}

const example = 'A rule is written like this: - allow: { host: "*.example.org" }';
const unused = "No code runs until it is mended.";

/** None when there is no file. */
export async function readRulesFile(path: string, places: PathPlaces): Promise<Rule[]> {
  const text = textOf(path);
  return text === undefined ? [] : parseRules(text, path, places);
}

export function textOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile())
    throw new InputProblem(`${path} is not a file, so there are no rules to read in it.`, "Put it elsewhere.");
  if (process.platform !== "win32" && found.mode & 0o002)
    throw new InputProblem(
      `Everybody on this machine can write ${path}, so its rules are not used.`,
      `chmod 600 ${path}`,
    );
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new InputProblem(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

export async function parseRules(text: string, path: string, places: PathPlaces): Promise<Rule[]> {
  const yaml = await import("../yaml.ts");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken)
    throw new InputProblem(
      `${path}:${lines.linePos(broken.pos[0]).line}: this is not valid YAML: ${broken.message.split("\n")[0]}`,
      `What begins with * or ! or has a colon and a space in it is put in quotes. ${unused}`,
    );
  if (document.contents === null) return [];
  const reading = { path, places, lines, yaml };
  if (!yaml.isSeq(document.contents))
    throw problem(reading, document.contents as Node, "rules are a list, one entry each.", `${example} ${unused}`);
  return readEntries(document.contents.items as Node[], reading);
}

/** Whoever mends a file wants to hear of all that is wrong in it, and not of one thing after the other. */
function readEntries(items: readonly Node[], reading: Reading): Rule[] {
  const problems: InputProblem[] = [];
  const rules = items.flatMap((item): Rule[] => {
    try {
      return readEntry(item, reading);
    } catch (error) {
      if (!(error instanceof InputProblem)) throw error;
      problems.push(error);
      return [];
    }
  });
  const [first, second] = problems;
  if (second)
    throw new InputProblem(
      problems.map(({ message, hint }) => `${message} ${hint}`.trim()).join("\n"),
      "No code runs until they are mended.",
    );
  if (first) throw new InputProblem(first.message, `${first.hint} ${unused}`.trim());
  return rules;
}

function readEntry(item: Node, reading: Reading): Rule[] {
  const { yaml, lines, path, places } = reading;
  if (!yaml.isMap(item)) throw problem(reading, item, "a rule says allow, ask or deny, and what.");
  const pairs = item.items as Pair<Node, Node | null>[];
  const found = new Map(pairs.map((pair) => [nameOf(pair), pair]));
  for (const [name, { key }] of found) known(name, [...verdicts, "because", "examples"], key, reading, "a rule");
  const said = verdicts.filter((verdict) => found.has(verdict));
  if (said.length !== 1)
    throw problem(
      reading,
      item,
      said.length === 0
        ? "a rule says allow, ask or deny, and what."
        : `a rule says one thing, not ${said.join(" and ")}.`,
    );
  const verdict = said[0]!;
  const { kind, patterns } = readWhat(verdict, found.get(verdict)!, reading);
  const because = readBecause(found.get("because"), reading);
  const rules = patterns.map((node) => {
    const { line } = lines.linePos(node.range?.[0] ?? 0);
    const written = { verdict, kind, pattern: textIn(node, kind, reading), ...(because !== undefined && { because }) };
    return makeRule(written, { from: "file", path, line }, { places, where: `${path}:${line}: ` });
  });
  checkExamples(rules, kind, found.get("examples"), reading);
  return rules;
}

function readWhat(
  verdict: Verdict,
  { key, value }: Pair<Node, Node | null>,
  reading: Reading,
): { kind: RuleKind; patterns: Node[] } {
  const { yaml } = reading;
  if (!yaml.isMap(value)) throw problem(reading, value ?? key, `${verdict} is followed by one of ${kinds.join(", ")}.`);
  const pairs = value.items as Pair<Node, Node | null>[];
  for (const pair of pairs) known(nameOf(pair), kinds, pair.key, reading, verdict);
  const [first, second] = pairs;
  if (!first || second) throw problem(reading, value, `${verdict} is followed by exactly one of ${kinds.join(", ")}.`);
  const patterns = yaml.isSeq(first.value) ? (first.value.items as Node[]) : [first.value ?? first.key];
  if (patterns.length === 0 || first.value === null)
    throw problem(reading, first.key, `${nameOf(first)} of what is not said.`);
  return { kind: nameOf(first) as RuleKind, patterns };
}

function textIn(node: Node, what: string, reading: Reading): string {
  const value = reading.yaml.isScalar(node) ? node.value : undefined;
  if (typeof value === "string" && value.trim() !== "") return value;
  const { isAlias, isScalar } = reading.yaml;
  const written = isAlias(node) ? `*${node.source}` : isScalar(node) ? node.source : undefined;
  throw problem(
    reading,
    node,
    `${what} takes a text, or a list of texts.`,
    written && `Put it in quotes: "${written}".`,
  );
}

function readBecause(pair: Pair<Node, Node | null> | undefined, reading: Reading): string | undefined {
  return pair && textIn(pair.value ?? pair.key, "because", reading).trim();
}

function checkExamples(
  rules: readonly Rule[],
  kind: RuleKind,
  pair: Pair<Node, Node | null> | undefined,
  reading: Reading,
): void {
  if (!pair) return;
  const { yaml, places } = reading;
  const how = "examples are written like this: examples: { match: [...], not: [...] }";
  if (!yaml.isMap(pair.value)) throw problem(reading, pair.value ?? pair.key, how);
  for (const { key, value } of pair.value.items as Pair<Node, Node | null>[]) {
    const name = nameOf({ key });
    known(name, ["match", "not"], key, reading, "examples");
    const examples = yaml.isSeq(value) ? (value.items as Node[]) : value ? [value] : [];
    if (examples.length === 0) throw problem(reading, key, how);
    for (const node of examples) {
      const text = textIn(node, "an example", reading);
      const subject = subjectOf(kind, text, places);
      if (!subject) throw problem(reading, node, `the example ${JSON.stringify(text)} is no ${kind}.`);
      if (rules.some((rule) => rule.covers(subject)) === (name === "match")) continue;
      const patterns = rules.map(({ pattern }) => pattern).join(", ");
      throw problem(
        reading,
        node,
        `the example ${JSON.stringify(text)} should ${name === "match" ? "" : "not "}match ${kind} ${patterns}, and ${name === "match" ? "does not" : "does"}.`,
        "Change the pattern or the example.",
      );
    }
  }
}

function known(name: string, names: readonly string[], key: Node, reading: Reading, of: string): void {
  if (names.includes(name)) return;
  const near = nearest(name, names);
  throw problem(
    reading,
    key,
    `${name} is nothing that ${of} has.`,
    near ? `Did you mean ${near}?` : `It has ${names.join(", ")}.`,
  );
}

const nameOf = ({ key }: Pick<Pair<Node, unknown>, "key">): string => String(key.toJSON());

function problem(
  { path, lines }: Reading,
  { range }: Node,
  what: string,
  hint: string | undefined = undefined,
): InputProblem {
  const { line } = lines.linePos(range?.[0] ?? 0);
  return new InputProblem(`${path}:${line}: ${what}`, hint || example);
}
