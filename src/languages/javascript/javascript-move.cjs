// Moves a folder where the write layer refuses to rename it: it is copied beside the place it goes to, put there in one moment, and
// then deleted where it was. `cp` keeps modes, owners, times and links. Loaded when a rename was refused.

const { execFile, execFileSync } = require("node:child_process");
const { randomBytes } = require("node:crypto");
const fs = require("node:fs");
const { basename, dirname, join, resolve } = require("node:path");
const { fileURLToPath } = require("node:url");

/** Throws what was refused where the layer was not the reason. */
function plan(from, to, refused) {
  const [source, target] = [from, to].map((path) => resolve(path instanceof URL ? fileURLToPath(path) : String(path)));
  try {
    const about = fs.lstatSync(source);
    if (!about.isDirectory() || about.dev !== fs.statSync(dirname(target)).dev) throw refused;
  } catch {
    throw refused;
  }
  if (fs.existsSync(target) && fs.readdirSync(target).length > 0)
    throw Object.assign(refused, {
      code: "ENOTEMPTY",
      errno: -39,
      message: `ENOTEMPTY: directory not empty, rename '${from}' -> '${to}'`,
    });
  return { source, target, draft: join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}`) };
}

const quiet = { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" };
const copying = ({ source, draft }) => ["cp", ["-a", "--", source, draft]];
const whole = { recursive: true };

function explained(refused, { stderr, code }) {
  const why = String(stderr ?? "")
    .trim()
    .split("\n")
    .at(-1);
  if (code !== "ENOENT" && why) refused.message = `${refused.message}: ${why}`;
  return refused;
}

exports.sync = (renameSync, from, to, refused) => {
  const move = plan(from, to, refused);
  try {
    try {
      execFileSync(...copying(move), quiet);
    } catch (error) {
      throw explained(refused, error);
    }
    renameSync(move.draft, move.target);
  } catch (error) {
    fs.rmSync(move.draft, { ...whole, force: true });
    throw error;
  }
  fs.rmSync(move.source, whole);
};

exports.async = async (rename, from, to, refused) => {
  const move = plan(from, to, refused);
  try {
    const [program, args] = copying(move);
    await new Promise((done, fail) => {
      execFile(program, args, (error, _, stderr) => (error ? fail(explained(refused, { ...error, stderr })) : done()));
    });
    await rename(move.draft, move.target);
  } catch (error) {
    await fs.promises.rm(move.draft, { ...whole, force: true });
    throw error;
  }
  await fs.promises.rm(move.source, whole);
};
