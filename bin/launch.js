// What both commands share: checks Node, keeps compiled code between starts, and runs.
import { accessSync, constants, mkdirSync, realpathSync } from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";

const [major, minor] = process.versions.node.split(".").map(Number);

export async function launch(name) {
  if (major < 22 || (major === 22 && minor < 12)) {
    console.error(`Open Interpreter needs Node 22.12 or newer; this is Node ${process.versions.node}.`);
    console.error("Update Node, or start from the project folder with: npm start");
    process.exit(2);
  }
  // An empty one is none: what is kept would go to the folder that is worked in.
  if (process.env.HOME === "") delete process.env.HOME;
  stayOutOfTheFolder();
  await keepCompiledCode();
  const { main } = await import("../dist/cli.js");
  process.exit(await main(process.argv.slice(2), name));
}

/**
 * Compiled code is run without a look at it: it is kept among what is ours, which code in the sandbox cannot write, and not in the
 * system's folder for temporary files, where Node would keep it. Before there is anything of ours, none is kept.
 */
async function keepCompiledCode() {
  const { places } = await import("../dist/places.js");
  const folder = join(places().data, "compiled");
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code !== "EEXIST") return;
  }
  module.enableCompileCache?.(folder);
}

/**
 * Temporary files of ours, and of what we start, are nothing that was done in the folder that is worked in: where that has the
 * system's folder for them in it, another one is used.
 */
function stayOutOfTheFolder() {
  const isApart = (folder) => !join(realpathSync(folder), sep).startsWith(join(process.cwd(), sep));
  const isFit = (folder) => {
    try {
      accessSync(folder, constants.W_OK);
      return isApart(folder);
    } catch {
      return false;
    }
  };
  const temporary = tmpdir();
  const other = isFit(temporary) ? undefined : ["/var/tmp", "/dev/shm"].find(isFit);
  if (other) process.env.TMPDIR = other;
}
