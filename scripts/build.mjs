// Builds dist/: the command and the library, split so that each start loads only what it needs.
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundlePage } from "./bundle-page.mjs";
import { joinStart } from "./join-start.mjs";

const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

// The providers' packages bring a validator with its messages in fifty languages; nobody here ever reads one of them.
const englishOnly = {
  name: "english-only",
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

// The libraries of the pages we show travel as one script, loaded only for such a page.
const inPages = {};
const pages = {
  name: "pages",
  setup({ onLoad }) {
    onLoad({ filter: /\.jsx$/ }, async ({ path }) => {
      const { text, inputs } = await bundlePage(path);
      Object.assign(inPages, inputs);
      return { contents: text, loader: "text" };
    });
  },
};

// Bundled CommonJS asks for `require`, now and then; making one takes longer than it looks.
const banner = {
  js: 'import { createRequire as __createRequire } from "node:module"; let __made; const require = (name) => (__made ??= __createRequire(import.meta.url))(name);',
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22.12",
  loader: { ".md": "text", ".py": "text", ".csv": "text", ".bash": "text", ".zsh": "text", ".fish": "text" },
  define: { PACKAGE_VERSION: JSON.stringify(version) },
  banner,
  // Has a compiled part, and is loaded only when a program needs a terminal.
  external: ["@lydell/node-pty"],
  legalComments: "none",
  plugins: [englishOnly, pages],
};

rmSync(join(root, "dist"), { recursive: true, force: true });
const { metafile } = await build({
  ...shared,
  entryPoints: ["src/cli.ts", "src/index.ts", "src/compiled.ts"],
  outdir: "dist",
  splitting: true,
  chunkNames: "[name]-[hash]",
  metafile: true,
});
await joinStart(join(root, "dist"), metafile);
// Runs as a process of its own, and by itself.
await build({
  ...shared,
  entryPoints: ["src/computer/files/process.ts"],
  outfile: "dist/files-process.js",
  minify: true,
});
// Asked before anything else is loaded: where compiled code is kept.
await build({
  ...shared,
  banner: {},
  entryPoints: ["src/settings/places.ts"],
  outfile: "dist/places.js",
  minify: true,
});
writeFileSync(join(root, "dist", "THIRD-PARTY.md"), notices({ ...metafile.inputs, ...inPages }));

// Drivers run inside other interpreters: they stay files, beside the code that names them.
for (const room of ["src/languages", "src/agent/safety", "src/machine/sandbox/landlock"]) {
  for (const file of readdirSync(join(root, room), { recursive: true })) {
    if (/\.(py|sh|mjs|cjs|rb|R|pl|php|lua|jl|java|fish|yaml)$/.test(file))
      copyFileSync(join(root, room, file), join(root, "dist", file.split(/[\\/]/).pop()));
  }
}

// So does the catalogue: it is long, and most starts need nothing of it.
copyFileSync(join(root, "src/models/catalogue/catalogue.tsv"), join(root, "dist/catalogue.tsv"));

// The manual page is what the program that was just built says of itself.
const manual = execFileSync(process.execPath, [join(root, "bin/interpreter.js"), "man"], { encoding: "utf8" });
writeFileSync(join(root, "dist/interpreter.1"), manual);

/** The licences of everything that was bundled. */
function notices(inputs) {
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  const parts = [...packages].sort().map((name) => {
    const folder = join(root, "node_modules", name);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    const text = licence ? readFileSync(join(folder, licence), "utf8").trim() : "";
    return `## ${name} ${manifest.version} (${manifest.license})\n\n${text}\n`;
  });
  return `# Software included in this build\n\n${parts.join("\n")}`;
}
