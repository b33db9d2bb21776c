// `npm run conformance`: sets up what is missing and compares notebooks with ipykernel.
import { join } from "node:path";
import { root, run, setUp } from "./setup.mjs";

run(setUp(), [join(root, "bench", "conformance", "run.ts"), ...process.argv.slice(2)], { stdio: "inherit" });
