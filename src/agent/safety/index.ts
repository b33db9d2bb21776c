// Safe mode's look at a block before it runs. Loaded when safe mode is on, and not before.

export type { SafetyEnvironment } from "./environment.ts";
export { examine } from "./examine.ts";
export { type Finding, type FindingKind, mustAsk, type Severity } from "./finding.ts";
