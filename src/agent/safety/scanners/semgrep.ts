// semgrep, where it is installed: with rules of our own from a file beside this one, and none from anywhere else.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { askChildForJson } from "../child.ts";
import type { Finding, FindingKind, Severity } from "../finding.ts";
import type { Scanner } from "./index.ts";

const rules = fileURLToPath(new URL("./safety-semgrep.yaml", import.meta.url));
const endings: Readonly<Record<string, string>> = { python: "py", javascript: "ts", shell: "sh" };

export const semgrep: Scanner = {
  program: "semgrep",
  languages: Object.keys(endings),
  async scan({ language, code }, { path, cwd, ...rest }) {
    const file = join(cwd, `block.${endings[language]}`);
    await writeFile(file, code, { mode: 0o600 });
    const args = ["scan", "--json", "--quiet", "--metrics=off", "--disable-version-check", "--disable-nosem"];
    const command = [...args, "--no-git-ignore", "--config", rules, file];
    return readSemgrep(await askChildForJson({ command: path, args: command, input: "", cwd, ...rest }));
  },
};

interface Result {
  check_id: string;
  start: { line: number };
  extra: { message: string; severity: string; metadata: { kind?: FindingKind } };
}

const severities: Readonly<Record<string, Severity>> = { ERROR: "danger", WARNING: "warning", INFO: "note" };
const kinds = new Set<unknown>(["deletes", "network", "secrets", "persistence", "privilege", "obfuscation"]);

/** Its answer as findings; none where it is not what semgrep writes. */
function readSemgrep(answer: unknown): Omit<Finding, "excerpt">[] {
  const results = (answer as { results?: readonly Partial<Result>[] } | undefined)?.results;
  if (!Array.isArray(results)) return [];
  return results.flatMap(({ check_id, start, extra }: Partial<Result>) => {
    const kind = extra?.metadata?.kind;
    const severity = severities[extra?.severity ?? ""];
    if (!kind || !kinds.has(kind) || !severity || typeof start?.line !== "number") return [];
    const rule = `semgrep-${String(check_id).split(".").at(-1)}`;
    return [{ rule, kind, severity, line: start.line, text: extra!.message.replace(/\s+/g, " ").trim() }];
  });
}
