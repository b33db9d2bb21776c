// An installed kernel as a language. Only looks at files; what talks to kernels is loaded with the first session.

import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { type Language, type SessionOptions, SessionStartError } from "../language.ts";
import { findKernelspecs, type Kernelspec, kernelCommand, type WhereToLook } from "./kernelspecs.ts";

const extensions: Record<string, string> = {
  bash: "sh",
  c: "c",
  "c++": "cpp",
  clojure: "clj",
  go: "go",
  haskell: "hs",
  java: "java",
  javascript: "js",
  julia: "jl",
  kotlin: "kt",
  octave: "m",
  python: "py",
  r: "r",
  ruby: "rb",
  rust: "rs",
  scala: "scala",
  scheme: "scm",
  typescript: "ts",
};

const readyWithin = 60_000;
const prefix = "jupyter:";

export function extensionOf(language: string): string {
  return extensions[language] ?? "txt";
}

/**
 * The kernel a name means: `jupyter:NAME`, the name of a kernel, or a language that only a kernel speaks.
 * `taken` says which names belong to languages of our own.
 */
export function findKernelLanguage(
  name: string,
  where: WhereToLook,
  taken: (name: string) => boolean,
): Language | undefined {
  const specs = findKernelspecs(where);
  const wanted = name.trim().toLowerCase();
  const spec = wanted.startsWith(prefix)
    ? specs.find((each) => each.name === wanted.slice(prefix.length))
    : (specs.find((each) => each.name === wanted) ?? specs.find((each) => each.language === wanted));
  if (!spec) return undefined;
  // The first kernel of a language has its name; every other is called by its own.
  const first = specs.find((each) => each.language === spec.language) === spec;
  return kernelLanguage(spec, first && !taken(spec.language) ? spec.language : `${prefix}${spec.name}`);
}

export function kernelLanguage(spec: Kernelspec, name: string): Language {
  return {
    name,
    aliases: [`${prefix}${spec.name}`, spec.name],
    extension: extensionOf(spec.language),
    offered: false,
    async available(options) {
      const [program = ""] = kernelCommand(spec, "", options);
      if (isInstalled(program, options)) return true;
      return `The Jupyter kernel ${spec.title} is installed, but its program ${program} is not found.`;
    },
    async start(options) {
      const available = await this.available(options);
      if (available !== true) throw new SessionStartError(available);
      const [{ startKernelSession }, { startLocalKernel }] = await Promise.all([
        import("./kernel-session.ts"),
        import("./local-kernel.ts"),
      ]);
      return startKernelSession({
        language: name,
        title: spec.title,
        readyWithin,
        open: (listener) => startLocalKernel(spec, options, listener),
      });
    },
  };
}

function isInstalled(program: string, { env, cwd }: SessionOptions): boolean {
  if (isAbsolute(program)) return existsSync(program);
  if (/[\\/]/.test(program)) return existsSync(join(cwd, program));
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  return (env.PATH ?? "")
    .split(delimiter)
    .some((folder) => folder && endings.some((ending) => existsSync(join(folder, program + ending))));
}
