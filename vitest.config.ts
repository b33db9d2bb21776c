import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { bundlePage } from "./scripts/bundle-page.mjs";

export default defineConfig({
  plugins: [
    {
      // Prompts are files of their own kind; the build inlines them as text, and so do the tests.
      name: "text-files",
      enforce: "pre",
      async load(id) {
        if (id.endsWith(".jsx")) return `export default ${JSON.stringify((await bundlePage(id)).text)};`;
        if (/\.(md|py|csv|bash|zsh|fish)$/.test(id))
          return `export default ${JSON.stringify(readFileSync(id, "utf8"))};`;
        return undefined;
      },
    },
  ],
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
