// Lets Node itself load what the build inlines as text, for scenarios that run our source in a process of its own.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

registerHooks({
  load(url, context, next) {
    if (!/\.(md|py|csv|bash|zsh|fish)$/.test(url)) return next(url, context);
    const source = `export default ${JSON.stringify(readFileSync(fileURLToPath(url), "utf8"))};`;
    return { format: "module", source, shortCircuit: true };
  },
});
