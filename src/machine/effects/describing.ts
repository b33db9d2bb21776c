// All that describes files and effects, loaded together when there is something to show.

export { type DescribedEffect, describeEffect, diffOf, filesInside } from "./describe-effect.ts";
export { describeFile } from "./describe-file.ts";
export { unifiedDiff } from "./diff.ts";
export { effectsOfStep } from "./step-effects.ts";
