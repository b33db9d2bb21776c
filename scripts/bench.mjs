// `npm run bench`: sets up what is missing and measures.
import { join } from "node:path";
import { root, run, setUp } from "./setup.mjs";

const node = setUp();
// Reading a certificate file at every start of Node is not ours to measure.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
run(node, [join(root, "bench", "run.ts"), ...process.argv.slice(2)], { stdio: "inherit", env });
