// Where the blocks of safe mode's examples would run: a home that is nobody's, and no scanners.

import type { SafetyEnvironment } from "../../src/agent/safety/index.ts";
import { findPython } from "../../src/languages/index.ts";

export const safetyEnvironment: SafetyEnvironment = {
  cwd: "/home/ada/work",
  env: { ...process.env, HOME: "/home/ada", TMPDIR: "/tmp" },
  python: findPython(undefined, process.cwd(), process.env)!.path,
  scanners: false,
};
