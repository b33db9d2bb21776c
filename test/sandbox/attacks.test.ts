// Attacks on the sandbox, tried for real as an administrator and as an ordinary user. What they would have done is looked for from outside.

import { spawn } from "node:child_process";
import { accessSync, chownSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { whyNoLayer } from "../support/protected-folder.ts";
import { type Outcome, titles } from "./run-attacks.ts";

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
/** Temporary folders may be written: the place is none. */
const place = [
  join(import.meta.dirname, "../../node_modules/.sandbox"),
  "/opt/.sandbox",
  join(homedir(), ".sandbox"),
].find(
  (path) =>
    !["/tmp/", "/var/tmp/", `${realpathSync(tmpdir())}/`].some((temporary) => path.startsWith(temporary)) &&
    canMake(path),
);

function canMake(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const why = whyNoLayer() || (place ? "" : "there is no folder for it that is not a temporary one");

interface Try {
  who: "administrator" | "ordinary user";
  level: "workspace" | "strict";
  /** Only those with this in their title. */
  only?: string;
  /** Without a write layer, the walls are all there is. */
  layer?: "checkpoint";
}

async function attempt({ who, level, only = "", layer }: Try): Promise<Outcome> {
  const base = mkdtempSync(join(place!, "attacks-"));
  const [hooks, script] = ["text-imports.mjs", "run-attacks.ts"].map((name) => join(import.meta.dirname, name));
  const program = [process.execPath, "--import", hooks!, script!, base, level, only, layer ?? "auto"];
  const as =
    isRoot && who === "ordinary user" ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
  if (as.length > 0) chownSync(base, nobody, nobody);
  try {
    const [command, ...args] = [...as, ...program];
    const child = spawn(command!, args, { cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
    let [out, problems] = ["", ""];
    child.stdout.on("data", (text: Buffer) => (out += text));
    child.stderr.on("data", (text: Buffer) => (problems += text));
    await new Promise((done) => child.once("close", done));
    if (out === "") throw new Error(problems);
    return JSON.parse(out);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const tries: Try[] = [
  ...(isRoot ? [{ who: "administrator", level: "workspace" } as const] : []),
  { who: "ordinary user", level: "workspace" },
  { who: "ordinary user", level: "strict", only: "reaching" },
  { who: "ordinary user", level: "strict", only: "secrets" },
  { who: "ordinary user", level: "workspace", only: "persisting", layer: "checkpoint" },
];

test("there are more than 80 of them", () => {
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles.length).toBeGreaterThan(80);
});

for (const each of tries) {
  const { who, level, only = "", layer } = each;
  describe.skipIf(why)(`as an ${who}, ${level}${layer ? `, ${layer}` : ""}${why && ` (${why})`}`, () => {
    let outcome: Outcome;
    beforeAll(async () => {
      outcome = await attempt(each);
    }, 180_000);

    test("the sandbox is up", () => {
      expect(outcome.skipped).toBeUndefined();
      expect(outcome.through["after all of them"]).toBeUndefined();
    });
    for (const title of titles.filter((name) => name.includes(only)))
      test(title, () => {
        expect(outcome.outputs).toHaveProperty([title]);
        expect(outcome.through[title] ?? [], outcome.outputs[title]).toEqual([]);
      });
  });
}
