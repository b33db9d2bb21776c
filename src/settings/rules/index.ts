// Rules: what code may do, must ask for, or may never do.

export { type SplitCommand, splitCommands } from "./command-pattern.ts";
export { type Host, type HostPlace, placeOf, readHost } from "./host.ts";
export { makeRule, pathPlaces } from "./make-rule.ts";
export { isBelow, realPath, shortened } from "./path-pattern.ts";
export {
  type Judgement,
  kinds,
  originOf,
  type Rule,
  type RuleKind,
  type RuleOrigin,
  ruleText,
  type Scope,
  type Subject,
  type Verdict,
  verdicts,
  type WrittenRule,
} from "./rule.ts";
export { loadRules, type MoreRules, type Rules } from "./rules.ts";
export { hostOf, subjectOf } from "./subject.ts";
export { ruleWords, scopeWords } from "./words.ts";
