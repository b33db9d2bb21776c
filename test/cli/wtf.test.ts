// `wtf` in real shells: what their hooks remember, what the model is asked, and where its command goes.

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { bin, Place } from "../support/program.ts";
import { reply, run, type ScriptedModel, say, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

/** A place whose shells have the hook, and `interpreter` on their path. */
function hooked(model: ScriptedModel, extra: NodeJS.ProcessEnv = {}): Place {
  const place = new Place({ INTERPRETER_MODEL: "openai-chat/scripted", INTERPRETER_API_BASE: model.openai, ...extra });
  const programs = join(place.folder, "programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "interpreter"), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(programs, "interpreter"), 0o755);
  place.env.PATH = `${programs}:${place.env.PATH}`;
  // Where the shells look for their files.
  place.env.HOME = place.folder;
  place.env.HISTFILE = join(place.folder, "history");
  writeFileSync(join(place.folder, ".bashrc"), `PS1='$ '\neval "$(interpreter hook bash)"\n`);
  writeFileSync(join(place.folder, ".zshrc"), `PS1='$ '\neval "$(interpreter hook zsh)"\n`);
  mkdirSync(join(place.folder, ".config/fish"), { recursive: true });
  writeFileSync(
    join(place.folder, ".config/fish/config.fish"),
    `set -g fish_greeting\nfunction fish_prompt; echo '$ '; end\ninterpreter hook fish | source\n`,
  );
  return place;
}

const shells = {
  bash: ["--noprofile", "-i"],
  zsh: ["-i"],
  fish: ["-i"],
} as const;
type Shell = keyof typeof shells;

async function open(place: Place, shell: Shell): Promise<Terminal> {
  place.env.SHELL = `/usr/bin/${shell}`;
  const screen = new Terminal(place, shells[shell], { program: shell, columns: 120 });
  await screen.see(/\$$/);
  return screen;
}

const asked = (model: ScriptedModel): string => JSON.stringify(model.requests[0]!.body);
const records = (place: Place): string => join(place.folder, ".home/shells");

describe.each(["bash", "zsh", "fish"] as const)("in %s", (shell) => {
  test("it says what failed, asks with facts, and puts the command on the line without running anything", async () => {
    await using model = await scriptedModel([reply(say("You swapped two letters."), run("shell", "echo 'a \"b' c"))]);
    using place = hooked(model);
    await using screen = await open(place, shell);
    screen.enter("ecoh a; gti status");
    await screen.see(/gti.*\n[\s\S]*\$$/);
    screen.enter("wtf");
    await screen.see("gti status: exit code 127");
    await screen.see("You swapped two letters.");
    await screen.see(/Run this\?.*y p n e a \?/);
    screen.enter("p");
    // Where a terminal is asked how it is, it answers; bash takes that for the time to fill the line.
    if (shell === "bash") {
      await screen.see(/\$$/);
      expect(screen.raw).toContain("\x1b[5n");
      screen.type("\x1b[0n");
    }
    await screen.see(/\$\s+echo 'a "b' c$/);
    screen.enter();
    await screen.see(/\na "b c\n/);
    const request = asked(model);
    expect(request).toContain("Command: ecoh a; gti status");
    expect(request).toContain("Exit code: 127");
    expect(request).toContain(`Folder: ${place.folder}`);
    expect(request).toContain("no program ecoh is on the PATH");
    expect(request).toContain("there is echo");
    expect(model.requests).toHaveLength(1);
  });

  test("the failed command is not run again, and the one that was suggested runs where it failed", async () => {
    await using model = await scriptedModel([reply(say("Make it."), run("shell", "touch made")), "Done."]);
    using place = hooked(model);
    mkdirSync(join(place.folder, "sub"));
    await using screen = await open(place, shell);
    screen.enter("cd sub");
    screen.enter("echo once >> ran; cat made");
    await screen.see(/No such file[\s\S]*\$$/);
    screen.enter("wtf what is made");
    await screen.see("Run this?");
    screen.enter("y");
    await screen.see("Done.");
    expect(existsSync(join(place.folder, "sub/made"))).toBe(true);
    expect(readFileSync(join(place.folder, "sub/ran"), "utf8")).toBe("once\n");
    expect(asked(model)).toContain("I want to know: what is made");
  });

  test("it explains the last that failed, not what worked since, and not an earlier wtf", async () => {
    await using model = await scriptedModel(["It does nothing but fail.", "The same."]);
    using place = hooked(model);
    await using screen = await open(place, shell);
    screen.enter("wtf");
    await screen.see("No command of this shell has failed yet.");
    screen.enter("sh -c 'exit 7'");
    screen.enter("echo fine");
    await screen.see(/\nfine\n/);
    screen.enter("");
    screen.enter("wtf");
    await screen.see("sh -c 'exit 7': exit code 7");
    await screen.see(/nothing but fail\.[\s\S]*\$$/);
    screen.enter("wtf --no_such_flag");
    await screen.see(/There is no flag[\s\S]*\$$/);
    screen.enter("wtf again");
    await screen.see("The same.");
    expect(JSON.stringify(model.requests[1]!.body)).toContain("Command: sh -c 'exit 7'");
  });

  test("what is remembered is private, and a command that the history is not to have is not remembered", async () => {
    await using model = await scriptedModel(["ok"]);
    using place = hooked(model);
    const config = { bash: ".bashrc", zsh: ".zshrc", fish: ".config/fish/config.fish" }[shell];
    const private_ = { bash: "HISTCONTROL=ignorespace", zsh: "setopt histignorespace", fish: "" }[shell];
    writeFileSync(join(place.folder, config), `${private_}\n${readFileSync(join(place.folder, config), "utf8")}`);
    await using screen = await open(place, shell);
    screen.enter("sh -c 'exit 3'");
    screen.enter("  sh -c 'exit 4' secretly");
    screen.enter("echo fine");
    await screen.see(/\nfine\n/);
    const files = readdirSync(records(place)).map((name) => join(records(place), name));
    expect(files).toHaveLength(2);
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(records(place)).mode & 0o777).toBe(0o700);
    expect(files.map((file) => readFileSync(file, "utf8")).join("")).not.toContain("secretly");
  });
});

test("secrets of the command do not reach the model, and are not shown", async () => {
  await using model = await scriptedModel(["ok"]);
  using place = hooked(model, { MY_TOKEN: "value-of-a-variable" });
  await using screen = await open(place, "bash");
  const secrets = ["hunter2hunter2", "s3cr3t", "pa55word", "my.word", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"];
  const [bearer, flag, inUrl, user, token] = secrets;
  screen.enter(
    `false -H "Authorization: Bearer ${bearer}" --api-key=${flag} https://me:${inUrl}@example.org/ -u me:${user} ${token} value-of-a-variable`,
  );
  screen.enter("clear; wtf");
  await screen.see(/exit code[\s\S]*ok/);
  for (const secret of [...secrets, "value-of-a-variable"]) {
    expect(asked(model)).not.toContain(secret);
    expect(screen.text().slice(screen.text().indexOf("wtf"))).not.toContain(secret);
  }
  expect(asked(model)).toContain("https://me:");
});

test("inside tmux the model reads what was printed", async () => {
  await using model = await scriptedModel(["ok"]);
  using place = hooked(model);
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-S", join(place.folder, "tmux"), ...args], {
      encoding: "utf8",
      stdio: "pipe",
      env: place.env,
    });
  const isOpen = (): boolean => {
    try {
      return tmux("list-sessions") !== "";
    } catch {
      return false;
    }
  };
  tmux("new-session", "-d", "-x", "100", "-y", "30", "bash --noprofile -i");
  try {
    const shown = async (what: RegExp): Promise<void> => {
      for (let tries = 0; !what.test(tmux("capture-pane", "-p")); tries++) {
        if (tries > 500) throw new Error(tmux("capture-pane", "-p"));
        await sleep(20);
      }
    };
    await shown(/^\$ *$/m);
    tmux("send-keys", "echo before", "Enter");
    tmux("send-keys", "echo 'the disk is on fire'; cat nowhere", "Enter");
    await shown(/nowhere: No such file/);
    tmux("send-keys", "wtf", "Enter");
    await shown(/^ok/m);
    const request = asked(model);
    expect(request).toContain("It printed:\\nthe disk is on fire\\ncat: nowhere: No such file or directory");
    expect(request).not.toContain("echo before");
  } finally {
    tmux("send-keys", "exit", "Enter");
    for (let left = true; left; await sleep(20)) left = existsSync(join(place.folder, "tmux")) && isOpen();
  }
});

test("what is piped in is what was printed, and a shell without a hook is told how to get it", async () => {
  await using model = await scriptedModel(["The disk is full."]);
  using place = hooked(model);
  const piped = await place.run(["wtf"], { input: "write error: No space left on device\n" });
  expect(piped).toMatchObject({ code: 0, stdout: expect.stringContaining("The disk is full.") });
  expect(asked(model)).toContain("No space left on device");
  place.env.SHELL = "/bin/zsh";
  await using screen = new Terminal(place, ["wtf"], { columns: 120 });
  expect(await screen.ended()).toBe(2);
  expect(screen.text()).toContain(`echo 'eval "$(interpreter hook zsh)"' >> ~/.zshrc`);
});

test("a shell without the hook inside one that has it knows nothing of that one", async () => {
  await using model = await scriptedModel(["ok"]);
  using place = hooked(model);
  await using screen = await open(place, "bash");
  screen.enter("sh -c 'exit 9'");
  screen.enter("PS1='inner> ' sh");
  await screen.see(/inner>$/);
  screen.enter("interpreter wtf");
  await screen.see(/this shell does not tell it[\s\S]*inner>$/);
  screen.enter("exit 0");
  await screen.see(/\$$/);
  screen.enter("interpreter wtf");
  await screen.see("sh -c 'exit 9': exit code 9");
});

test("without a model it says so", async () => {
  await using model = await scriptedModel([]);
  using place = hooked(model);
  delete place.env.INTERPRETER_MODEL;
  delete place.env.INTERPRETER_API_BASE;
  await using screen = await open(place, "bash");
  screen.enter("sh -c 'exit 9'");
  screen.enter("wtf");
  await screen.see("No model is set up");
});

test("code that runs unasked elsewhere is asked about here, unless -y is given to wtf itself", async () => {
  await using model = await scriptedModel([run("shell", "touch made"), run("shell", "touch made-too"), "Done."]);
  using place = hooked(model, { INTERPRETER_AUTO_RUN: "true" });
  await using screen = await open(place, "bash");
  screen.enter("sh -c 'exit 9'");
  screen.enter("wtf");
  await screen.see("Run this?");
  screen.enter("n");
  await screen.see(/Not run[\s\S]*\$$/);
  expect(existsSync(join(place.folder, "made"))).toBe(false);
  screen.enter("wtf -y");
  await screen.see("Done.");
  expect(existsSync(join(place.folder, "made-too"))).toBe(true);
});
