// What both commands share: checks Node, keeps compiled code between starts, and runs.
import module from "node:module";

const [major, minor] = process.versions.node.split(".").map(Number);

export async function launch(name) {
  if (major < 22 || (major === 22 && minor < 12)) {
    console.error(`Open Interpreter needs Node 22.12 or newer; this is Node ${process.versions.node}.`);
    console.error("Update Node, or start from the project folder with: npm start");
    process.exit(2);
  }
  module.enableCompileCache?.();
  const { main } = await import("../dist/cli.js");
  process.exit(await main(process.argv.slice(2), name));
}
