import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { terminalNeed } from "../../src/languages/shell/terminal-need.ts";
import { transcript } from "../../src/languages/shell/transcript.ts";
import { Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["-y", "--model", "x", "--api_base", url];

describe("programs that need a terminal", () => {
  test("a password asked for on the terminal is typed by the person, not shown, and not recorded", async () => {
    await using model = await scriptedModel([run("shell", "./sudo whoami; echo done"), "ok"]);
    using place = new Place();
    // Asks as sudo does: on the terminal, without echo.
    const sudo =
      "#!/bin/sh\nexec 3<>/dev/tty\nstty -echo <&3\nprintf 'Password: ' >&3\nread -r word <&3\nstty echo <&3\necho >&3\necho \"${#word} letters\"\n";
    writeFileSync(join(place.folder, "sudo"), sudo, { mode: 0o755 });
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.enter("go");
    await screen.see(/Password:$/);
    screen.enter("hunter2");
    await screen.see("│ 7 letters");
    await screen.see(/ok\n(?:\d+ files?\b.*\n(?:.+\n)+)?\n.*\d+ tokens · price unknown.*\n>$/);
    expect(screen.raw).not.toContain("hunter2");
    expect(model.requests[1]!.text).toContain("7 letters");
    expect(model.requests[1]!.text).not.toContain("hunter2");
    screen.enter("!echo still here");
    await screen.see("│ still here");
  });

  test("a program that fills the screen gets it, in the session the model uses, and gives it back", async () => {
    await using model = await scriptedModel([run("shell", "export NAME=Ada\nless long.txt\necho after $NAME"), "ok"]);
    using place = new Place();
    writeFileSync(
      join(place.folder, "long.txt"),
      Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n"),
    );
    await using screen = new Terminal(place, use(model.openai), { rows: 20 });
    await screen.prompt();
    screen.enter("go");
    await screen.see(/line 18\n(long\.txt|:)/);
    screen.type("G");
    await screen.see("line 199");
    screen.type("q");
    await screen.see(/ok\n(?:\d+ files?\b.*\n(?:.+\n)+)?\n.*\d+ tokens · price unknown.*\n>$/);
    screen.enter("!echo $NAME");
    await screen.see("│ Ada");
    expect(model.requests[1]!.text).not.toContain("line 199");
    expect(model.requests[1]!.text).toContain("after Ada");
  });

  test("git rebase -i opens the person's editor", async () => {
    await using model = await scriptedModel([run("shell", "git rebase -i HEAD~1"), "ok"]);
    using place = new Place();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: place.folder });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "one");
    git("commit", "-q", "--allow-empty", "-m", "two");
    const editor = "#!/bin/sh\nprintf 'editing, press a key: '\nread -r key\ncp \"$1\" seen\n";
    writeFileSync(join(place.folder, "editor"), editor, { mode: 0o755 });
    Object.assign(place.env, {
      GIT_EDITOR: join(place.folder, "editor"),
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@b",
    });
    await using screen = new Terminal(place, use(model.openai));
    await screen.prompt();
    screen.enter("go");
    await screen.see("editing, press a key:");
    screen.enter("k");
    await screen.see(/ok\n(?:\d+ files?\b.*\n(?:.+\n)+)?\n.*\d+ tokens · price unknown.*\n>$/);
    expect(readFileSync(join(place.folder, "seen"), "utf8")).toMatch(/^(pick|noop|# )/m);
  });

  test("Ctrl-C reaches the program, and the prompt comes back", async () => {
    await using model = await scriptedModel([run("shell", "less /etc/passwd; sleep 100"), "ok"]);
    using place = new Place();
    await using screen = new Terminal(place, use(model.openai), { rows: 12 });
    await screen.prompt();
    screen.enter("go");
    await screen.see("root:");
    screen.type("q");
    await screen.see("less /etc/passwd; sleep 100");
    screen.type("\x03");
    await screen.see(
      /\^C\n│ \[Interrupted by the user\.\]\n(?:✓ 1 file new .*\n)?(?:\n*\d+ files?\b.*\n(?:.+\n)+)?\n.*\d+ tokens · price unknown.*\n>$/,
    );
    screen.enter("!echo alive");
    await screen.see("│ alive");
  });

  test("where nobody can type there is no terminal, and nothing waits", async () => {
    await using model = await scriptedModel([
      run("shell", "less /etc/hostname; ssh-keygen -y -f nowhere; tty </dev/tty || echo none"),
      "ok",
    ]);
    using place = new Place();
    const { code, stdout } = await place.run([...use(model.openai), "go"]);
    expect(code).toBe(0);
    expect(stdout).toContain("none");
  });
});

test.each<[string, ReturnType<typeof terminalNeed>]>([
  ["sudo apt install x", "to ask"],
  ["sudo -n true", undefined],
  ["cd /x && ssh host uptime", "to ask"],
  ["vim notes.txt", "the screen"],
  ["sudo vim /etc/hosts", "the screen"],
  ["EDITOR=vi git rebase -i HEAD~3", "the screen"],
  ["git commit", "the screen"],
  ["git commit -m 'no vim here'", undefined],
  ["git commit -am done", undefined],
  ["git add -p", "the screen"],
  ["echo 'sudo vim'", undefined],
  ["cat <<EOF\nsudo vim\nEOF", undefined],
  ["# sudo", undefined],
  ["grep sudo log | less", "the screen"],
  ["ls; top", "the screen"],
  ["python3 script.py", undefined],
  ["if true; then sudo ls; fi", "to ask"],
  ["echo less", undefined],
])("what %j needs: %s", (code, need) => {
  expect(terminalNeed(code)).toBe(need);
});

test("the record of a terminal holds what was said there, not the screens that were drawn", () => {
  expect(transcript("before\r\n\x1b[?1049h\x1b[2Jscreen\x1b[?1049lafter \x1b[31mred\x1b[0m\r\n")).toBe(
    "before\nafter red\n",
  );
  expect(transcript("10%\r50%\rdone\r\n")).toBe("done\n");
  expect(transcript("\x1b[?1049hscreen")).toBe("");
});
