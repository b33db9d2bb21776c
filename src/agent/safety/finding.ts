// What a look at a block brings to light: one sentence a person can read, and the line it is about.

export type FindingKind = "deletes" | "network" | "secrets" | "persistence" | "privilege" | "obfuscation";

const severities = ["note", "warning", "danger"] as const;
export type Severity = (typeof severities)[number];

export interface Finding {
  rule: string;
  kind: FindingKind;
  severity: Severity;
  /** Counted from one. */
  line: number;
  /** One plain sentence. */
  text: string;
  /** The line itself, or as much of it as fits. */
  excerpt: string;
}

const rank = (severity: Severity): number => severities.indexOf(severity);

/** The worst first, then as the block has them; what was found twice, once, and a mere note once for the whole block. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const once = new Map<string, Finding>();
  for (const finding of findings) {
    const { rule, severity, line, text } = finding;
    const key = `${rule} ${severity === "note" ? "" : line} ${text}`;
    if (line < (once.get(key)?.line ?? Number.POSITIVE_INFINITY)) once.set(key, finding);
  }
  return [...once.values()].sort((one, other) => rank(other.severity) - rank(one.severity) || one.line - other.line);
}

/** What others add to our own findings: not what those say already, about the same line and no less gravely. */
export function additions<Each extends Pick<Finding, "kind" | "line" | "severity">>(
  own: readonly Each[],
  others: readonly Each[],
): Each[] {
  const said = ({ kind, line, severity }: Each): boolean =>
    own.some((each) => each.kind === kind && each.line === line && rank(each.severity) >= rank(severity));
  return others.filter((each) => !said(each));
}

/** Whether a block that would run unasked waits for a person after all: with `auto`, where something in it is dangerous. */
export function mustAsk(findings: readonly Finding[], mode: "ask" | "auto"): boolean {
  return mode === "auto" && findings.some(({ severity }) => severity === "danger");
}
