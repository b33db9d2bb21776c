// All rules, and what they have to say about one act.

import type { Act } from "../act.ts";
import type { Finding } from "../finding.ts";
import type { Place } from "../place.ts";
import { deletes } from "./deletes.ts";
import { network } from "./network.ts";
import { obfuscation } from "./obfuscation.ts";
import { persistence } from "./persistence.ts";
import { privilege } from "./privilege.ts";
import type { Rule } from "./rule.ts";
import { secrets } from "./secrets.ts";

export const allRules: Readonly<Record<string, Rule>> = {
  ...deletes,
  ...network,
  ...secrets,
  ...persistence,
  ...privilege,
  ...obfuscation,
};
const table = Object.entries(allRules);

/** Without the line's own text, which the block has. */
export function judge(act: Act, place: Place): Omit<Finding, "excerpt">[] {
  return table.flatMap(([rule, { kind, severity, sentence, sees }]) => {
    const seen = sees(act, place);
    if (seen === undefined || seen === false || seen === "") return [];
    const text = sentence.replace("%", () => (seen === true ? "" : seen));
    return [{ rule, kind, severity, line: act.line, text }];
  });
}
