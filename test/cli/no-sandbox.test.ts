// Where there can be no walls: whoever asked for them gets no code run without them, and whoever did not is told. Walls are made
// impossible for real: no further namespaces, and no Perl to put Landlock on.

import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { noneOn } from "../../src/machine/sandbox/around.ts";
import { bin, type Finished, finish, Place } from "../support/program.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { run, type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const why = whyNoLayer();
const perls = (): string[] => {
  try {
    return execFileSync("which", ["-a", "perl"], { encoding: "utf8" }).trim().split("\n");
  } catch {
    return [];
  }
};

const without = (): string[] => [
  "unshare",
  "-Urm",
  "sh",
  "-c",
  [
    ...perls().map((perl) => `mount --bind /dev/null "$(readlink -f ${perl})"`),
    "echo 0 > /proc/sys/user/max_mnt_namespaces",
    'exec "$@"',
  ].join(" && "),
  "sh",
  process.execPath,
  bin,
];

const writing = run("shell", "touch made");
const common = (model: ScriptedModel) => ["-y", "--model", "openai-chat/scripted", "--api_base", model.openai];

async function go(place: Place, args: readonly string[]): Promise<Finished> {
  const [command, ...rest] = without();
  return finish(
    spawn(command!, [...rest, ...args], { cwd: place.folder, env: place.env, stdio: ["ignore", "pipe", "pipe"] }),
  );
}

describe.skipIf(why)(`no walls can be put up${why && ` (${why})`}`, () => {
  for (const level of ["workspace", "strict"])
    test(`--sandbox ${level}: nothing runs, and it is said how to go on`, async () => {
      await using model = await scriptedModel([writing, "Never said."]);
      using place = new Place();
      const { code, stdout, stderr } = await go(place, [...common(model), "--sandbox", level, "go"]);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^There is no sandbox: .+\nNo code runs, since --sandbox \w+ was asked for\. Start with --sandbox off/m,
      );
      expect(stderr).toContain(`--sandbox ${level} was asked for`);
      expect(stdout).not.toContain("Never said.");
      expect(existsSync(join(place.folder, "made"))).toBe(false);
    });

  test("nobody asked for one: code runs, and it is told that there is none", async () => {
    await using model = await scriptedModel([writing, "Made."]);
    using place = new Place();
    const { code, stdout } = await go(place, [...common(model), "go"]);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, " ")).toContain("There is no sandbox:");
    expect(existsSync(join(place.folder, "made"))).toBe(true);
  });

  test("--sandbox off: code runs, and nothing is said", async () => {
    await using model = await scriptedModel([writing, "Made."]);
    using place = new Place();
    const { stdout, stderr } = await go(place, [...common(model), "--sandbox", "off", "go"]);
    expect(stdout + stderr).not.toContain("There is no sandbox");
    expect(existsSync(join(place.folder, "made"))).toBe(true);
  });

  test("in the chat it is said at the start, and no block runs", async () => {
    await using model = await scriptedModel([writing, "Never said."]);
    using place = new Place();
    const [program, ...rest] = without();
    const args = [...rest, ...common(model), "--sandbox", "strict"];
    await using screen = new Terminal(place, args, { columns: 120, program: program! });
    await screen.see("There is no sandbox:");
    await screen.see("--sandbox strict was asked for");
    await screen.prompt();
    screen.enter("go");
    await screen.see(/There is no sandbox:[\s\S]*There is no sandbox:/);
    await screen.prompt();
    expect(existsSync(join(place.folder, "made"))).toBe(false);
    screen.enter("!touch made");
    await screen.see(/(There is no sandbox:[\s\S]*){3}/);
    expect(existsSync(join(place.folder, "made"))).toBe(false);
  });
});

test("systems that have none say what protects instead, and what to do", () => {
  expect(noneOn("win32")).toBe(
    "Windows has none that we can use. What protects you is the question before each block, --safe_mode, and undo; in WSL (Windows Subsystem for Linux) there is one.",
  );
  expect(noneOn("freebsd")).toBe(
    "we have none for this system (freebsd). What protects you is the question before each block, --safe_mode, and undo.",
  );
});
