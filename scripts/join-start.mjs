// Splitting makes many small files, and each costs a start a good part of a millisecond. What every conversation loads is joined
// into one file; the files it came from become doors to it, for those parts that are loaded later.
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/** The modules whose loading a start waits for. */
const waitedFor = ["src/start.ts", "src/terminal/index.ts", "src/models/providers/openai-compatible.ts"];

export async function joinStart(folder, { outputs }) {
  const fileOf = (entry) => Object.keys(outputs).find((file) => outputs[file].entryPoint === entry);
  const closure = (files, into = new Set()) => {
    for (const file of files) {
      if (into.has(file)) continue;
      into.add(file);
      const imported = outputs[file].imports.filter(({ kind, external }) => kind === "import-statement" && !external);
      closure(
        imported.map(({ path }) => path),
        into,
      );
    }
    return into;
  };
  // `--version` needs little, and keeps it.
  const apart = closure([fileOf("src/cli.ts")]);
  const files = [...closure(waitedFor.map(fileOf))].filter((file) => !apart.has(file));
  const names = new Set(files.map((file) => basename(file)));
  const nameOf = (file, name) => `_${files.indexOf(file)}_${name}`;
  const doorOf = (file, line) => outputs[file].exports.map((name) => line(name, nameOf(file, name))).join(", ");

  await build({
    absWorkingDir: folder,
    stdin: {
      contents: files
        .map(
          (file) => `export { ${doorOf(file, (name, joined) => `${name} as ${joined}`)} } from "./${basename(file)}";`,
        )
        .join("\n"),
      resolveDir: folder,
    },
    outfile: join(folder, "core.js"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.12",
    legalComments: "none",
    plugins: [
      {
        name: "only-what-is-joined",
        setup({ onResolve }) {
          onResolve({ filter: /^\./ }, ({ path }) =>
            names.has(basename(path)) ? undefined : { path, external: true },
          );
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === "entry-point" ? undefined : { path, external: true },
          );
        },
      },
    ],
  });
  for (const file of files) {
    const door = doorOf(file, (name, joined) => `${joined} as ${name}`);
    writeFileSync(join(folder, basename(file)), `export { ${door} } from "./core.js";\n`);
  }
}
