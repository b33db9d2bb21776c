// Completions, asked of the shells themselves.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { options } from "../../src/settings/index.ts";
import { subcommands } from "../../src/settings/subcommands.ts";
import { bin, Place } from "../support/program.ts";
import { Terminal } from "../support/terminal.ts";

function withProgram(): Place {
  const place = new Place();
  // Where zsh looks for its files.
  place.env.HOME = place.folder;
  const programs = join(place.folder, "programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "interpreter"), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(programs, "interpreter"), 0o755);
  place.env.PATH = `${programs}:${place.env.PATH}`;
  writeFileSync(join(place.folder, "sales.csv"), "");
  return place;
}

const ask = (place: Place, shell: string, script: string): string[] =>
  execFileSync(shell, ["-c", script], { cwd: place.folder, env: place.env, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");

/** What bash offers when these words have been typed. */
const inBash = (place: Place, words: readonly string[]): string[] =>
  ask(
    place,
    "bash",
    `eval "$(interpreter completions bash)"; complete -p interpreter i wtf >/dev/null
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}) COMP_CWORD=${words.length - 1}
    compopt() { :; }; _interpreter "\${COMP_WORDS[0]}"; printf '%s\\n' "\${COMPREPLY[@]}"`,
  );

const inFish = (place: Place, line: string): string[] =>
  ask(place, "fish", `interpreter completions fish | source; complete -C '${line}'`).map(
    (each) => each.split("\t")[0]!,
  );

describe("bash", () => {
  test("offers subcommands, what follows them, flags in the spelling one writes, choices and files", () => {
    using place = withProgram();
    for (const { name } of subcommands) expect(inBash(place, ["interpreter", ""])).toContain(name);
    expect(inBash(place, ["interpreter", "comp"])).toEqual(["completions"]);
    expect(inBash(place, ["interpreter", "keys", "s"])).toEqual(["set"]);
    expect(inBash(place, ["interpreter", "--auto_"])).toEqual(["--auto_run"]);
    expect(inBash(place, ["interpreter", "--auto-"])).toEqual(["--auto-run"]);
    expect(inBash(place, ["interpreter", "--theme", ""])).toEqual(["auto", "light", "dark", "none"]);
    expect(inBash(place, ["interpreter", "--theme", "=", "l"])).toEqual(["light"]);
    expect(inBash(place, ["interpreter", "--output-schema", "sa"])).toEqual(["sales.csv"]);
    expect(inBash(place, ["interpreter", "look", "at", "sal"])).toEqual(["sales.csv"]);
    expect(inBash(place, ["i", "comp"])).toEqual([]);
    const all = inBash(place, ["interpreter", "--"]);
    for (const { flag } of options) expect(all).toContain(`--${flag}`);
  });
});

describe("fish", () => {
  test("offers the same, with what each means", () => {
    using place = withProgram();
    for (const { name } of subcommands) expect(inFish(place, "interpreter ")).toContain(name);
    expect(inFish(place, "interpreter comp")).toEqual(["completions"]);
    expect(inFish(place, "interpreter keys s")).toContain("set");
    expect(inFish(place, "interpreter --auto_")).toEqual(["--auto_run"]);
    expect(inFish(place, "interpreter --auto-")).toEqual(["--auto-run"]);
    expect(inFish(place, "interpreter --theme ")).toEqual(["auto", "dark", "light", "none"]);
    expect(inFish(place, "interpreter --output_schema sa")).toEqual(["sales.csv"]);
    expect(inFish(place, "interpreter --model sa")).toEqual([]);
    expect(inFish(place, "interpreter look at sal")).toEqual(["sales.csv"]);
    expect(inFish(place, "i comp")).toEqual([]);
    const all = inFish(place, "interpreter --");
    for (const { flag } of options) expect(all).toContain(`--${flag}`);
    const told = ask(place, "fish", "interpreter completions fish | source; complete -C 'interpreter --auto_r'");
    expect(told).toEqual(["--auto_run\tRun code without asking first"]);
  });
});

describe("zsh", () => {
  test("completes in a terminal: a subcommand, what follows it, a flag in either spelling, a choice, a file", async () => {
    using place = withProgram();
    writeFileSync(
      join(place.folder, ".zshrc"),
      `PS1='$ '\nautoload -Uz compinit && compinit -u\neval "$(interpreter completions zsh)"\n`,
    );
    await using screen = new Terminal(place, ["-i"], { program: "zsh", columns: 120 });
    await screen.see(/\$$/);
    const completes = async (typed: string, result: RegExp): Promise<void> => {
      screen.type(`${typed}\t`);
      await screen.see(result);
      screen.type("\x15");
      await screen.see(/\$$/);
    };
    await completes("interpreter comp", /\$ interpreter completions$/);
    await completes("interpreter completions f", /\$ interpreter completions fish$/);
    await completes("interpreter --auto_r", /\$ interpreter --auto_run$/);
    await completes("interpreter --auto-r", /\$ interpreter --auto[_-]run$/);
    await completes("interpreter --theme li", /\$ interpreter --theme light$/);
    await completes("interpreter --max-output 5 --output-schema sal", /--output-schema sales\.csv$/);
    await completes("interpreter look at sal", /\$ interpreter look at sales\.csv$/);
    screen.type("interpreter --plai\t");
    await screen.see(/--plain$/);
    expect(screen.text()).not.toMatch(/error|bad|not found/i);
  });

  test("works as a file that is loaded when it is needed", async () => {
    using place = withProgram();
    mkdirSync(join(place.folder, "functions"));
    const { stdout } = await place.run(["completions", "zsh"]);
    writeFileSync(join(place.folder, "functions/_interpreter"), stdout);
    writeFileSync(
      join(place.folder, ".zshrc"),
      `PS1='$ '\nfpath=(~/functions $fpath)\nautoload -Uz compinit && compinit -u\n`,
    );
    await using screen = new Terminal(place, ["-i"], { program: "zsh" });
    await screen.see(/\$$/);
    screen.type("interpreter comp\t");
    await screen.see(/\$ interpreter completions$/);
    screen.type("\x15wtf --the\t");
    await screen.see(/\$ wtf --theme=$/);
  });
});

test("powershell gets every flag, subcommand and choice", async () => {
  using place = withProgram();
  const { stdout } = await place.run(["completions", "powershell"]);
  for (const { flag } of options) expect(stdout).toContain(`'--${flag}'`);
  for (const { name } of subcommands) expect(stdout).toContain(`Text = '${name}'`);
  expect(stdout).toContain("'--theme' = @('auto', 'light', 'dark', 'none')");
  for (const line of stdout.split("\n").slice(1)) expect(line.split("'").length % 2, line).toBe(1);
});

test("another shell, or none, is told which there are", async () => {
  using place = withProgram();
  for (const words of [["completions"], ["completions", "tcsh"], ["hook", "tcsh"]]) {
    const { code, stdout, stderr } = await place.run(words);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("bash|zsh|fish");
  }
});

test("a broken settings file does not break them", async () => {
  using place = withProgram();
  mkdirSync(join(place.folder, ".home"));
  writeFileSync(join(place.folder, ".home/settings.yaml"), "modle: x\n");
  expect((await place.run(["completions", "bash"])).code).toBe(0);
  expect((await place.run(["hook", "bash"])).code).toBe(0);
  expect((await place.run(["man"])).code).toBe(0);
});
