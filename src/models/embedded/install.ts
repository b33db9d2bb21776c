// Installs what runs models without a server: node-llama-cpp and the one compiled part that fits this machine, in a
// folder of its own, with the person's own npm and its registry. It is never done unasked.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { checkOnline } from "../../machine/index.ts";
import { noteSent } from "../../privacy/index.ts";
import { withoutModelKeys } from "../usable.ts";
import { EmbeddedProblem } from "./problem.ts";

export const engineVersion = "3.22.1";
/** Roughly what it takes on the disk, for the question before it. */
export const engineSize = (): string =>
  compiledParts(process.platform, process.arch).length > 1 ? "about 160 MB" : "about 90 MB";
export const installHint = "`interpreter install embedded`";

/** Whether the engine is in this folder, whole and in the version we know. */
export function isInstalled(folder: string): boolean {
  try {
    const manifest = readFileSync(join(folder, "node_modules", "node-llama-cpp", "package.json"), "utf8");
    return JSON.parse(manifest).version === engineVersion;
  } catch {
    return false;
  }
}

export interface InstallRequest {
  folder: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Rejects with EmbeddedProblem, or with the signal's reason when it was given up; nothing half-done stays behind. */
export async function installEngine({ folder, env, signal }: InstallRequest): Promise<void> {
  checkOnline("the engine");
  const compiled = compiledParts(process.platform, process.arch);
  if (compiled.length === 0)
    throw new EmbeddedProblem(
      "bad-request",
      `There is no ready-made engine for ${process.platform} on ${process.arch}.`,
      "Use a model server such as Ollama instead.",
    );
  const npm = findNpm(env);
  if (!npm)
    throw new EmbeddedProblem(
      "bad-request",
      "npm is needed to install the engine, and it is not here.",
      "Install Node.js with npm, or use a model server such as Ollama.",
    );
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(fresh, "package.json"), '{ "private": true }\n');
    const packages = ["node-llama-cpp", ...compiled].map((name) => `${name}@${engineVersion}`);
    // The package wants every compiled part for every graphics card; we name those we want and leave out the rest.
    const flags = ["--no-save", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    noteSent(env, "npm", `npm was asked for ${packages.join(", ")}`);
    await run(npm, ["install", "--prefix", fresh, ...flags, ...packages], fresh, env, signal);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The packages with the compiled parts for a machine; a second one where a graphics card may be of use. */
export function compiledParts(platform: NodeJS.Platform, arch: string): string[] {
  const scope = "@node-llama-cpp/";
  if (platform === "darwin") return arch === "arm64" ? [`${scope}mac-arm64-metal`] : [`${scope}mac-x64`];
  if (platform !== "linux" && platform !== "win32") return [];
  const names: Record<string, string> = { x64: "x64", arm64: "arm64", ...(platform === "linux" && { arm: "armv7l" }) };
  const name = names[arch];
  if (!name) return [];
  const plain = `${scope}${platform === "linux" ? "linux" : "win"}-${name}`;
  return arch === "x64" && hasVulkan(platform) ? [plain, `${plain}-vulkan`] : [plain];
}

function hasVulkan(platform: NodeJS.Platform): boolean {
  const places =
    platform === "win32"
      ? [join(process.env.SystemRoot ?? "C:\\Windows", "System32", "vulkan-1.dll")]
      : ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"].map((folder) => `${folder}/libvulkan.so.1`);
  return places.some((path) => existsSync(path));
}

/** How npm is started: with this very Node where its script can be found, otherwise by its name. */
function findNpm(env: NodeJS.ProcessEnv): string[] | undefined {
  const beside = dirname(process.execPath);
  const scripts = [
    env.npm_execpath ?? "",
    join(beside, "node_modules", "npm", "bin", "npm-cli.js"),
    join(beside, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  const onPath = (env.PATH ?? env.Path ?? "")
    .split(delimiter)
    .map((folder) => join(folder, process.platform === "win32" ? "npm.cmd" : "npm"))
    .find((path) => existsSync(path));
  if (onPath) scripts.push(realpathSync(onPath));
  const script = scripts.find((path) => /npm-cli\.js$/.test(path) && existsSync(path));
  if (script) return [process.execPath, script];
  return onPath ? [onPath] : undefined;
}

function run(
  [program, ...before]: string[],
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, [...before, ...args], {
      cwd,
      env: withoutModelKeys(env),
      stdio: ["ignore", "ignore", "pipe"],
      signal,
      windowsHide: true,
      shell: /\.cmd$/i.test(program!),
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4_000);
    });
    child.on("error", (error) => reject(signal.aborted ? signal.reason : failed(error.message)));
    child.on("close", (code) => {
      if (signal.aborted) reject(signal.reason);
      else if (code === 0) resolve();
      else reject(failed(reason(said)));
    });
  });
}

/** The first line in which npm says what is wrong; an address in it may have a password. */
function reason(said: string): string {
  const lines = said.split("\n").map((line) => line.replace(/^npm (?:error|ERR!)\s*/i, "").trim());
  const line = lines.find((each) => each && !/^(?:code|errno|syscall|path|dest) |warn/i.test(each));
  return line?.replace(/\/\/[^/@\s]+@/g, "//") ?? "npm did not say why";
}

const failed = (why: string): EmbeddedProblem =>
  new EmbeddedProblem(
    "bad-request",
    `The engine could not be installed: ${why.replace(/[.\s]+$/, "")}.`,
    "Check the network and npm's settings, then try again.",
  );
