// JavaScript and TypeScript: one session in a Node process of its own, driven by `javascript-driver.mjs` inside it.

import { fileURLToPath } from "node:url";
import { noComputer } from "../bridge.ts";
import type { Language } from "../language.ts";
import { startDriver } from "../start-driver.ts";
import { JavaScriptSession } from "./javascript-session.ts";

const driver = fileURLToPath(new URL("./javascript-driver.mjs", import.meta.url));

export const javascript: Language = {
  name: "javascript",
  aliases: ["js", "node", "nodejs", "mjs", "cjs", "typescript", "ts", "mts", "cts"],
  extension: "js",
  async available() {
    return true;
  },
  async start(options) {
    const { machine, cwd, env, onCall = noComputer } = options;
    // Loaded while the process starts: the first block needs both.
    const makeRewriter = async () => new (await import("./rewrite.ts")).Rewriter();
    const rewriter = makeRewriter();
    rewriter.catch(() => {});
    const begin = () =>
      startDriver({
        language: "javascript",
        title: "Node.js",
        machine,
        command: process.execPath,
        // Stopping a busy timer leaves Node's own bookkeeping behind, which it must not take for corruption.
        args: ["--no-force-async-hooks-checks", driver],
        cwd,
        env,
        interrupt: "both",
        onCall,
      });
    return new JavaScriptSession(await begin(), rewriter, options, { begin, makeRewriter });
  },
};
