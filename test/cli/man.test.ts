import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { options } from "../../src/settings/index.ts";
import { subcommands } from "../../src/settings/subcommands.ts";
import { commands } from "../../src/terminal/commands/table.ts";
import { Place } from "../support/program.ts";

test("the manual page has every flag, subcommand and command of the chat, and groff has nothing against it", async () => {
  using place = new Place();
  const { code, stdout } = await place.run(["man"]);
  expect(code).toBe(0);
  const page = execFileSync("groff", ["-man", "-Tascii", "-P-cbou", "-ww", "-rLL=100n"], {
    input: stdout,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
  });
  for (const { flag } of options) expect(page).toContain(`--${flag}`);
  for (const { name } of subcommands) expect(page).toMatch(new RegExp(`^ +${name}\\b`, "m"));
  for (const { name } of commands) expect(page).toMatch(new RegExp(`^ +/${name}\\b`, "m"));
  expect(page).toMatch(/130 +interrupted/);
});

test("groff warns of nothing", async () => {
  using place = new Place();
  const { stdout } = await place.run(["man"]);
  const warnings = execFileSync("sh", ["-c", "groff -man -Tutf8 -ww -z 2>&1"], { input: stdout, encoding: "utf8" });
  expect(warnings).toBe("");
});

test("the page that is shipped is the one the program prints", async () => {
  using place = new Place();
  const shipped = readFileSync(join(import.meta.dirname, "../../dist/interpreter.1"), "utf8");
  expect((await place.run(["man"])).stdout).toBe(shipped);
});
