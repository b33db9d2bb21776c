// Things that are closed to the user, or not theirs, are brought back or spoken of; nothing stops because of them.

import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { look, type Seen } from "./ordinary-user.ts";

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

async function asOrdinaryUser(): Promise<Seen> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "ordinary-user-"));
  try {
    if (!isRoot) return await look(folder);
    mkdirSync(join(folder, "work"));
    writeFileSync(join(folder, "work", "theirs"), "not ours", { mode: 0o644 });
    for (const path of [folder, join(folder, "work")]) chownSync(path, nobody, nobody);
    const program = [process.execPath, join(import.meta.dirname, "ordinary-user.ts"), folder, "theirs"];
    const as = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
    const { stdout, stderr } = spawnSync("setpriv", [...as, ...program], { encoding: "utf8", cwd: "/" });
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("closed files and folders, and files of others", async () => {
  const { closed, shut, foreign } = await asOrdinaryUser();
  const losses = [
    "locked/ was deleted and can be brought back only without what was in it: that could not be read.",
    "secret (6 B) was deleted and cannot be brought back: it could not be read.",
  ];
  expect(closed.effects).toEqual(["deleted locked/", "deleted secret"]);
  expect([...closed.uncovered].sort()).toEqual(losses);
  expect([...closed.problems].sort()).toEqual(losses);
  expect(closed.left.filter((name) => name !== "theirs")).toEqual(["locked", "open"]);
  expect(shut).toEqual({
    effects: ["mode open/"],
    uncovered: ["What is in open/ was not watched: not all of it could be read."],
    back: true,
  });
  if (isRoot)
    expect(foreign).toEqual({
      effects: ["deleted theirs"],
      warning: "It was another user's; brought back it would be yours.",
      content: "not ours",
    });
});
