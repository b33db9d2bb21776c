// A home that may not be written: the program says so in words, as anybody but root would meet it.

import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { bin, Place } from "../support/program.ts";

const nobody = 65534;
const as = (place: Place, args: readonly string[]) =>
  spawnSync(process.execPath, [bin, ...args], { cwd: "/", env: place.env, uid: nobody, gid: nobody, encoding: "utf8" });

/** Only root can start a program as somebody else, and that one must be able to read it. */
function canBeNobody(): boolean {
  using place = new Place();
  return process.getuid?.() === 0 && as(place, ["--version"]).status === 0;
}

test.skipIf(!canBeNobody())("what the system refuses is one sentence, and not the trace of a crash", () => {
  using place = new Place();
  chmodSync(place.folder, 0o555);
  for (const args of [
    ["config", "set", "max_steps", "5"],
    ["--max_steps", "5", "--save", "mine"],
  ]) {
    const { status, stderr } = as(place, args);
    expect(status).toBeGreaterThan(0);
    expect(stderr).toContain("permission denied");
    expect(stderr).not.toMatch(/\n\s+at /);
  }
});
