// Whether walls hold and programs run inside of them: tried with a small program, before code of a model is run there.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Protection } from "../../effects/protection.ts";
import { isWithin } from "../../layer/mounts.ts";

const within = 20_000;

/** Writes where it may, and where it may not. */
const script = `const { rmSync, writeFileSync } = require("node:fs");
const [inside, outside] = process.argv.slice(1);
writeFileSync(inside, ""); rmSync(inside);
let held = "held";
try { if (outside) { writeFileSync(outside, ""); held = "open"; rmSync(outside); } } catch {}
console.log(held);`;

/** What is wrong, in words that follow a colon, or undefined. */
export async function whyNotHeld(walled: Protection, home: string): Promise<string | undefined> {
  const { TMPDIR: own = "" } = walled.sandbox?.env ?? {};
  const name = `.walls-${randomBytes(6).toString("hex")}`;
  const outside = [home, "/Users/Shared"].find(
    (place) => existsSync(place) && !walled.roots.some((root) => isWithin(place, root)),
  );
  const args = ["-e", script, join(own, name), ...(outside ? [join(outside, name)] : [])];
  const { command, args: all, env } = walled.enter({ command: process.execPath, args, cwd: "/", env: process.env });
  return new Promise((resolve) => {
    const child = spawn(command, [...all], { cwd: "/", env, stdio: ["ignore", "pipe", "pipe"], timeout: within });
    let [said, problems] = ["", ""];
    child.stdout.on("data", (text: Buffer) => (said += text));
    child.stderr.on("data", (text: Buffer) => (problems += text));
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => {
      if (said.trim() === "held") resolve(undefined);
      else if (said.trim() === "open") resolve("what was put up does not hold");
      else resolve(problems.trim().split("\n")[0] || `a program in them ended with status ${code}`);
    });
  });
}
