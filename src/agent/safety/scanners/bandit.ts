// bandit, where it is installed: it reads Python from its input and answers with JSON.

import { askChildForJson } from "../child.ts";
import type { Finding, FindingKind, Severity } from "../finding.ts";
import type { Scanner } from "./index.ts";

/** Those of its tests that are about our questions; it asks many others, about style and cryptography. */
const tests: Readonly<Record<string, readonly [FindingKind, Severity]>> = {
  B102: ["obfuscation", "warning"],
  B103: ["privilege", "warning"],
  B104: ["network", "warning"],
  B202: ["deletes", "warning"],
  B301: ["obfuscation", "note"],
  B302: ["obfuscation", "warning"],
  B307: ["obfuscation", "warning"],
  B310: ["network", "note"],
  B312: ["network", "note"],
  B321: ["network", "note"],
  B323: ["network", "note"],
  B501: ["network", "note"],
  B506: ["obfuscation", "note"],
  B507: ["network", "warning"],
  B602: ["privilege", "note"],
  B604: ["privilege", "note"],
  B605: ["privilege", "note"],
  B609: ["privilege", "warning"],
  B614: ["obfuscation", "note"],
};

export const bandit: Scanner = {
  program: "bandit",
  languages: ["python"],
  async scan({ code }, { path, cwd, ...rest }) {
    const args = ["--format", "json", "--quiet", "--exit-zero", "--ignore-nosec", "-"];
    return readBandit(await askChildForJson({ command: path, args, input: code, cwd, ...rest }));
  },
};

interface Result {
  test_id: string;
  issue_text: string;
  line_number: number;
}

/** Its answer as findings; none where it is not what bandit writes. */
function readBandit(answer: unknown): Omit<Finding, "excerpt">[] {
  const results = (answer as { results?: readonly Partial<Result>[] } | undefined)?.results;
  if (!Array.isArray(results)) return [];
  return results.flatMap(({ test_id, issue_text, line_number }: Partial<Result>) => {
    const known = typeof test_id === "string" ? tests[test_id] : undefined;
    if (!known || typeof issue_text !== "string" || typeof line_number !== "number") return [];
    const [kind, severity] = known;
    const sentence = issue_text.replace(/\s+/g, " ").replace(/\.?$/, "");
    return [{ rule: `bandit-${test_id}`, kind, severity, line: line_number, text: `${sentence} (bandit).` }];
  });
}
