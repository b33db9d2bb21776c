// What protects a workspace where there can be no write layer.

export { type CheckpointRequest, openCheckpoint } from "./checkpoint.ts";
export { openWatch, type WatchRequest } from "./watch.ts";
