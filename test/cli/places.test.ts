// Starts in unusual places: where temporary files lie, and where nothing can be kept.

import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";

const use = (url: string) => ["-y", "--model", "openai-chat/scripted", "--api_base", url];

test.each(["auto", "checkpoint"])(
  "files of our own are no effects where temporary files are in the folder that is worked in (%s)",
  async (layer) => {
    await using model = await scriptedModel([run("shell", "echo hi > a.txt; echo $TMPDIR"), "Done."]);
    using place = new Place();
    place.env.TMPDIR = place.folder;
    const { code, stdout, stderr } = await place.run([...use(model.openai), "--layer", layer, "work"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("✓ 1 file new ·");
    expect(stdout).toContain("│ /var/tmp\n");
    expect(readdirSync(place.folder).sort()).toEqual([".home", "a.txt"]);
  },
);

test("without a home that can be made, all works for this once, and that is said", async () => {
  await using model = await scriptedModel([run("shell", "echo hi > a.txt"), "Done."]);
  using place = new Place({ HOME: "/proc/nobody" });
  delete place.env.INTERPRETER_HOME;
  const { code, stdout, stderr } = await place.run([...use(model.openai), "work"]);
  expect([code, stderr]).toEqual([
    0,
    "Nothing can be kept in /proc/nobody/.local/share/open-interpreter: no folder can be made there. Conversations, undo and settings last only until this ends. Set HOME or INTERPRETER_HOME to a folder of yours.\n",
  ]);
  expect(stdout).toContain("✓ 1 file new");
});

test("an empty HOME is none: nothing is kept in the folder that is worked in", async () => {
  await using model = await scriptedModel(["Hello."]);
  using place = new Place({ HOME: "" });
  const { code, stdout } = await place.run([...use(model.openai), "hi"]);
  expect([code, stdout.trim()]).toEqual([0, "Hello."]);
  expect(existsSync(`${place.folder}/.local`)).toBe(false);
  expect(existsSync(`${place.folder}/.cache`)).toBe(false);
});
