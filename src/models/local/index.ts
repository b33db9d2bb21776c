// What runs models on this machine, beside ourselves. Loaded when somebody looks for it.

export { contextWindows } from "./describe.ts";
export { type PullProgress, pullModel } from "./ollama.ts";
export { findServerPrograms, type ServerProgram, startServer } from "./programs.ts";
export { findLocalServers, type LocalModel, type LocalServer } from "./servers.ts";
export { type SuggestedModel, suggestedModels } from "./suggested.ts";
