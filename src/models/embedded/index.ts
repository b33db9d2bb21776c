// Models that run in this process, without a server. Loaded when somebody wants one.

export { type DownloadProgress, download } from "./download.ts";
export { engineSize, installEngine, isInstalled } from "./install.ts";
export { engineFolder, weightsFolder, weightsNamed, weightsOf } from "./names.ts";
export { EmbeddedProblem } from "./problem.ts";
export { fitsMemory, recommended, type Weights } from "./recommended.ts";
export { checkWeights, memoryHere } from "./weights.ts";
