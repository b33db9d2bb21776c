// `npm start`: sets up what is missing and starts the product. Words after -- go to it.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root, setUp } from "./setup.mjs";

const node = setUp();
const child = spawn(node, [join(root, "bin", "interpreter.js"), ...process.argv.slice(2)], {
  stdio: "inherit",
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
// Ctrl-C belongs to the product; it decides what it means.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
