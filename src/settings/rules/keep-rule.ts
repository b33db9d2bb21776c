// Adds a rule to rules.yaml and leaves everything else there as it is: comments, order, quotes.

import { replaceFile } from "../replace-file.ts";
import type { PathPlaces } from "./path-pattern.ts";
import { parseRules, textOf } from "./read-file.ts";
import { type Rule, ruleText } from "./rule.ts";

const heading = `# What code may do, must ask for, or may never do. \`interpreter rules\` shows what holds, and \`interpreter rules check\`
# explains a decision. The strictest rule that speaks of something holds: deny, then ask, then allow.
`;

/** A file with a mistake in it is not written to: InputProblem says what is wrong. A rule that is there already is not added again. */
export async function keepRule(path: string, rule: Rule, places: PathPlaces): Promise<void> {
  const text = textOf(path) ?? heading;
  const before = await parseRules(text, path, places);
  if (before.some((each) => ruleText(each) === ruleText(rule))) return;
  const added = `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${written(rule)}`;
  const isRight = await parseRules(added, path, places).then(
    (after) => after.length === before.length + 1 && ruleText(after.at(-1)!) === ruleText(rule),
    () => false,
  );
  replaceFile(path, isRight ? added : await appended(text, rule));
}

function written({ verdict, kind, pattern, because }: Rule): string {
  const reason = because === undefined ? "" : `  because: ${JSON.stringify(because)}\n`;
  return `- ${verdict}: { ${kind}: ${JSON.stringify(pattern)} }\n${reason}`;
}

/** For a file that is written in another way than by lines that begin with a dash. */
async function appended(text: string, { verdict, kind, pattern, because }: Rule): Promise<string> {
  const { parseDocument } = await import("../yaml.ts");
  const document = parseDocument(text);
  document.add({ [verdict]: { [kind]: pattern }, ...(because !== undefined && { because }) });
  return String(document);
}
