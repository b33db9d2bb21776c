import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { run, type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";

/** A place where compiled code is kept in a folder of its own. */
class Keeping extends Place {
  readonly compiled = join(this.folder, "compiled");

  constructor() {
    super();
    mkdirSync(this.compiled);
    this.env.NODE_COMPILE_CACHE = this.compiled;
  }

  /** Ours among the files there; Node has others. */
  get files(): string[] {
    const all = readdirSync(this.compiled, { recursive: true, encoding: "utf8" });
    return all.filter((file) => /open-interpreter-[^/\\]*$/.test(file)).map((file) => join(this.compiled, file));
  }

  /** How many conversations made what is kept. */
  get from(): number {
    const bytes = readFileSync(this.files[0]!);
    return bytes.readUInt32LE(bytes.length - 4);
  }

  async talk(model: ScriptedModel): Promise<string> {
    const args = ["--plain", "--model", "openai-chat/scripted", "--api_base", model.openai, "hi"];
    const { code, stdout, stderr } = await this.run(args);
    return `${stdout}${stderr}${code}`;
  }
}

const well = "\nHello.\n0";

test("the first conversations keep what was compiled for them, and later ones leave it as it is", async () => {
  await using model = await scriptedModel(Array(4).fill("Hello."));
  using place = new Keeping();
  await place.run(["--help"]);
  expect(place.files).toEqual([]);
  for (const count of [1, 2, 3, 3]) {
    expect(await place.talk(model)).toBe(well);
    expect(place.from).toBe(count);
  }
  expect(statSync(place.files[0]!).mode & 0o077).toBe(0);
});

test("what is damaged is not used, and replaced", async () => {
  await using model = await scriptedModel(Array(4).fill("Hello."));
  using place = new Keeping();
  await place.talk(model);
  const file = place.files[0]!;
  const whole = readFileSync(file);
  const middle = whole.length >> 1;
  const zeros = Buffer.from(whole).fill(0, middle, middle + 4096);
  for (const damaged of [zeros, whole.subarray(0, middle), Buffer.alloc(3)]) {
    writeFileSync(file, damaged);
    expect(await place.talk(model)).toBe(well);
    expect(place.from).toBe(1);
  }
});

test("where nothing can be kept, all goes on as without it", async () => {
  await using model = await scriptedModel(Array(2).fill("Hello."));
  using place = new Keeping();
  await place.talk(model);
  const [file] = place.files;
  rmSync(file!);
  mkdirSync(join(file!, "in the way"), { recursive: true });
  expect(await place.talk(model)).toBe(well);
  expect(place.files).toEqual([file]);
});

test("what is compiled is kept where code in the sandbox cannot write, and nothing of it among temporary files", async () => {
  const write =
    'for f in "$HOME"/compiled "$HOME"/compiled/* "$HOME"/compiled/*/*; do touch "$f" 2>&- && echo WON; done; echo tried';
  await using model = await scriptedModel(["Hello.", "Hello.", run("shell", write), "Done."]);
  using place = new Keeping();
  const temporary = join(place.folder, "temporary");
  mkdirSync(temporary);
  Object.assign(place.env, { TMPDIR: temporary, NODE_COMPILE_CACHE: undefined });
  for (const _ of ["one", "two"]) expect(await place.talk(model)).toBe(well);
  const kept = readdirSync(join(place.folder, ".home/compiled"), { recursive: true, encoding: "utf8" });
  expect(kept.some((file) => /open-interpreter-[^/\\]*$/.test(file))).toBe(true);
  expect(readdirSync(temporary)).toEqual([]);
  const args = ["--plain", "-y", "--model", "openai-chat/scripted", "--api_base", model.openai, "try it"];
  const { stdout } = await place.run(args);
  expect(stdout).toContain("tried");
  expect(stdout).not.toContain("WON\n");
});

test("NODE_DISABLE_COMPILE_CACHE leaves nothing", async () => {
  await using model = await scriptedModel(["Hello."]);
  using place = new Keeping();
  place.env.NODE_DISABLE_COMPILE_CACHE = "1";
  expect(await place.talk(model)).toBe(well);
  expect(readdirSync(place.compiled)).toEqual([]);
});
