// Finds the Jupyter kernels that are installed here, in the places Jupyter itself looks, without starting anything.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { findPython } from "../python/find-python.ts";

export interface Kernelspec {
  /** The name of its folder, in lower case: "ir", "julia-1.10". */
  name: string;
  folder: string;
  /** The command, still with `{connection_file}` in it. */
  argv: readonly string[];
  /** For people: "R", "Python 3 (ipykernel)". */
  title: string;
  /** In lower case. */
  language: string;
  interruptMode: "signal" | "message";
  env: Record<string, string>;
}

export interface WhereToLook {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The Python chosen with `--python`, if any. */
  python?: string;
}

/** Every kernel, each name once: the first place that has it wins. */
export function findKernelspecs(where: WhereToLook): Kernelspec[] {
  const found = new Map<string, Kernelspec>();
  for (const place of kernelFolders(where)) {
    for (const name of foldersIn(place)) {
      const spec = found.has(name.toLowerCase()) ? undefined : readKernelspec(join(place, name), name);
      if (spec) found.set(spec.name, spec);
    }
  }
  return [...found.values()];
}

/** The command with every name in it filled in. */
export function kernelCommand(spec: Kernelspec, connectionFile: string, where: WhereToLook): string[] {
  const words = spec.argv.map((word) =>
    word.replaceAll("{connection_file}", connectionFile).replaceAll("{resource_dir}", spec.folder),
  );
  // "python" in a kernelspec means the Python it was installed with.
  if (!/^python(3(\.\d+)?)?$/.test(words[0]!)) return words;
  const prefix = /^(.+)[\\/]share[\\/]jupyter[\\/]kernels[\\/][^\\/]+$/.exec(spec.folder)?.[1];
  const beside = prefix && findPython(prefix, prefix, {})?.path;
  return [beside || (findPython(where.python, where.cwd, where.env)?.path ?? words[0]!), ...words.slice(1)];
}

/** `${NAME}` in a kernelspec's variables stands for what the surroundings say. */
export function kernelEnvironment(spec: Kernelspec, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const filled = Object.entries(spec.env).map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+)\}/g, (whole, variable) => env[variable] ?? whole),
  ]);
  return { ...env, ...Object.fromEntries(filled) };
}

function kernelFolders({ cwd, env, python }: WhereToLook): string[] {
  const own = findPython(python, cwd, env)?.path;
  const prefix = own ? dirname(dirname(own)) : undefined;
  const isolated = prefix !== undefined && ["pyvenv.cfg", "conda-meta"].some((name) => existsSync(join(prefix, name)));
  const ofPython = prefix ? [join(prefix, "share/jupyter")] : [];
  const data = [
    ...(env.JUPYTER_PATH ?? "").split(delimiter),
    ...(isolated ? ofPython : []),
    userFolder(env),
    ...(isolated ? [] : ofPython),
    ...(process.platform === "win32"
      ? [env.PROGRAMDATA ? join(env.PROGRAMDATA, "jupyter") : ""]
      : ["/usr/local/share/jupyter", "/usr/share/jupyter"]),
  ];
  return [...new Set(data.filter(Boolean))].map((folder) => join(folder, "kernels"));
}

function userFolder(env: NodeJS.ProcessEnv): string {
  const home = env.HOME ?? env.USERPROFILE ?? "";
  if (env.JUPYTER_DATA_DIR) return env.JUPYTER_DATA_DIR;
  if (process.platform === "win32") return join(env.APPDATA ?? join(home, "AppData/Roaming"), "jupyter");
  if (process.platform === "darwin") return join(home, "Library/Jupyter");
  return join(env.XDG_DATA_HOME || join(home, ".local/share"), "jupyter");
}

function foldersIn(place: string): string[] {
  try {
    return readdirSync(place).sort();
  } catch {
    return [];
  }
}

/** Undefined for a folder that holds no usable kernelspec: it is not ours to complain about. */
function readKernelspec(folder: string, name: string): Kernelspec | undefined {
  try {
    const spec = JSON.parse(readFileSync(join(folder, "kernel.json"), "utf8"));
    const argv: unknown = spec.argv;
    if (!Array.isArray(argv) || argv.length === 0 || argv.some((word) => typeof word !== "string")) return undefined;
    return {
      name: name.toLowerCase(),
      folder,
      argv,
      title: String(spec.display_name || name),
      language: String(spec.language || name).toLowerCase(),
      interruptMode: spec.interrupt_mode === "message" ? "message" : "signal",
      env: Object.fromEntries(Object.entries(spec.env ?? {}).map(([key, value]) => [key, String(value)])),
    };
  } catch {
    return undefined;
  }
}
