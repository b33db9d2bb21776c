// Splitting makes many small files, and each costs a start a good part of a millisecond. What every conversation loads is joined
// into one script, and everything else imports from that.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { asScript, scriptLoader } from "./as-script.mjs";

/** What every conversation loads: at once, when it has asked the model, and with its first block. */
const always = [
  "src/start.ts",
  "src/terminal/index.ts",
  "src/models/providers/openai-compatible.ts",
  "src/models/dialects/tool.ts",
  "src/settings/rules/index.ts",
  "src/interpreter/ruled.ts",
  "src/interpreter/sandboxing.ts",
  "src/machine/effects/protect.ts",
  "src/machine/layer/open.ts",
  "src/machine/layer/abandoned.ts",
  "src/machine/checkpoint/index.ts",
  "src/machine/undo/store.ts",
  "src/machine/sandbox/registries.ts",
  "src/machine/sandbox/open.ts",
  "src/interpreter/deliverables/turn-files.ts",
  "src/interpreter/state/saved-sessions.ts",
  "src/conversations/state/store.ts",
];

/** What runs before the script. `--version` needs little, and keeps it. */
const before = ["src/cli.ts", "src/compiled.ts"];

export async function joinStart(folder, { outputs }) {
  const fileOf = (entry) => {
    const found = Object.keys(outputs).find((file) => outputs[file].entryPoint === entry);
    if (!found) throw new Error(`${entry} is not loaded by itself any more: see the lists in scripts/join-start.mjs.`);
    return found;
  };
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
  const apart = closure(before.map(fileOf));
  const files = [...closure(always.map(fileOf))].filter((file) => !apart.has(file));
  const names = files.map((file) => basename(file));
  /** Two files may export two things by one name. */
  const joinedName = (file, name) => `_${names.indexOf(file)}_${name}`;
  /** Exports of a file, or imports from it, by the names they have in the script. */
  const door = (file, line) =>
    outputs[`dist/${file}`].exports.map((name) => line(name, joinedName(file, name))).join(", ");

  const parts = names.map(
    (file) => `export { ${door(file, (name, joined) => `${name} as ${joined}`)} } from "./${file}";`,
  );
  const { text, imported } = await bundle(folder, parts.join("\n"), names);
  const script = asScript(text);
  writeFileSync(join(folder, "core.cjs"), script);
  const compiled = Object.keys(outputs).find((file) => "src/compiled.ts" in outputs[file].inputs);
  const exported = names.flatMap((file) => door(file, (_, joined) => joined));
  writeFileSync(join(folder, "core.js"), scriptLoader(script, { compiled: basename(compiled), imported, exported }));

  for (const file of Object.keys(outputs).filter((each) => each.endsWith(".js"))) {
    const path = join(folder, basename(file));
    if (!files.includes(file)) writeFileSync(path, importingFromCore(readFileSync(path, "utf8"), names, joinedName));
    // One that is loaded by its name stays, as a door.
    else if (!outputs[file].entryPoint) rmSync(path);
    else {
      const open = door(basename(file), (name, joined) => `${joined} as ${name}`);
      writeFileSync(path, `export { ${open} } from "./core.js";\n`);
    }
  }
}

/** The text of all that is joined, and the files it imports because they are not. */
async function bundle(folder, contents, names) {
  const imported = new Set();
  const { outputFiles } = await build({
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder },
    write: false,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node22.12",
    define: { "import.meta.url": "__address" },
    logOverride: { "empty-import-meta": "error" },
    legalComments: "none",
    plugins: [
      {
        name: "only-what-is-joined",
        setup({ onResolve }) {
          onResolve({ filter: /^\./ }, ({ path, kind }) => {
            if (names.includes(basename(path))) return undefined;
            if (kind === "import-statement") imported.add(path);
            return { path, external: true };
          });
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === "entry-point" ? undefined : { path, external: true },
          );
        },
      },
    ],
  });
  return { text: outputFiles[0].text, imported: [...imported] };
}

/** A file that imports what was joined from where it is now. */
const importingFromCore = (text, names, joinedName) =>
  text.replace(/^import (?:\{([^}]*)\} from )?"\.\/([\w-]+\.js)";\n/gm, (line, wanted, file) => {
    if (!names.includes(file)) return line;
    if (!wanted) return "";
    const list = wanted.split(",").map((each) => {
      const [name, own = name] = each.trim().split(" as ");
      return `${joinedName(file, name)} as ${own}`;
    });
    return `import { ${list.join(", ")} } from "./core.js";\n`;
  });
