// Builds dist/: the command and the library, split so that each start loads only what it needs.
import { copyFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(join(root, "dist"), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ["src/cli.ts", "src/index.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.12",
  minifyWhitespace: true,
  minifySyntax: true,
  chunkNames: "[name]-[hash]",
  loader: { ".md": "text", ".py": "text", ".csv": "text" },
  define: { PACKAGE_VERSION: JSON.stringify(version) },
  // Bundled CommonJS asks for `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  legalComments: "none",
});

// Drivers run inside other interpreters: they stay files, beside the code that names them.
for (const file of readdirSync(join(root, "src/languages"), { recursive: true })) {
  if (/-driver\.(py|sh|mjs)$/.test(file))
    copyFileSync(join(root, "src/languages", file), join(root, "dist", file.split(/[\\/]/).pop()));
}
