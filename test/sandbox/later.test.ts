// What would run later as the person is not kept, whatever code makes of it; what they allow by name, and what people do every day, is.

import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EffectsQuestion, EffectsReport } from "../../src/agent/index.ts";
import type { InterpreterOptions } from "../../src/interpreter/index.ts";
import type { Chunk } from "../../src/messages/index.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { run, type Script } from "../support/scripted-model.ts";

const why = whyNoLayer();
const layers = ["auto", "checkpoint"] as const;

function openPlace() {
  const folder = lastingFolder("later-");
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  for (const each of [home, work]) mkdirSync(each);
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi"), GIT_CONFIG_NOSYSTEM: "1" };
  const remove = () => {
    spawnSync("chmod", ["-R", "u+rwX", folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, home, work, env, put, [Symbol.dispose]: remove };
}

type Place = ReturnType<typeof openPlace>;

const start = (place: Place, script: Script, options: InterpreterOptions = {}) =>
  startInterpreter(script, {
    cwd: place.work,
    env: place.env,
    sandbox: "workspace",
    conversation: true,
    ...options,
  });

const reports = (chunks: readonly Chunk[]) =>
  chunks.filter(({ type }) => type === "effects").map(({ content }) => content as unknown as EffectsReport);
const shell = (...lines: string[]) => run("shell", lines.join("\n"));
const textOf = (path: string) => readFileSync(path, "utf8");

const atHome: readonly [name: string, code: string, ...gone: string[]][] = [
  ["a start file", "echo x > .zshrc; echo x > notes", ".zshrc"],
  ["one in other letters", "echo x > .ZSHRC", ".ZSHRC"],
  [
    "one below a folder that is new",
    "mkdir -p .config/fish .config/app; echo x > .config/fish/config.fish",
    ".config/fish",
  ],
  ["one that is a link", "echo x > mine; ln -s mine .bash_profile", ".bash_profile"],
  ["one that was moved there", "echo x > mine; mv mine .zprofile", ".zprofile"],
  [
    "a link in the place of the folder around it",
    "mkdir -p mine/fish; echo x > mine/fish/config.fish; ln -s mine .config",
    ".config",
  ],
  ["a program", "mkdir -p .local/bin bin; echo x > .local/bin/ls; echo x > bin/git", ".local/bin", "bin"],
  ["settings of git", "mkdir -p .config/git; echo x > .config/git/config", ".config/git"],
  [
    "what starts with the desktop",
    "mkdir -p .config/autostart; echo x > .config/autostart/x.desktop",
    ".config/autostart",
  ],
  ["what is read from another start file", "echo x > .bash_aliases; echo x > .xprofile", ".bash_aliases", ".xprofile"],
];

describe.skipIf(why)(`in the home folder${why && ` (${why})`}`, () => {
  for (const layer of layers)
    for (const [name, code, ...gone] of atHome)
      test(`${layer}: ${name} is not kept, and person and model are told`, async () => {
        using place = openPlace();
        await using it = await start(place, [shell(code), "Done."], { cwd: place.home, layer });
        const { chunks } = await it.tell("go");
        for (const path of gone) {
          expect(lstatSync(join(place.home, path), { throwIfNoEntry: false })).toBeUndefined();
          const sentence = `${path} was not kept: a shell or a program of yours would read it`;
          const [report] = reports(chunks);
          expect(report!.effects.denied!.join("\n")).toContain(sentence);
          expect(report!.effects.denied!.join("\n")).toContain(`To allow it: /allow write ${join(place.home, path)}`);
          expect(report!.effects.files.map((file) => file.path)).not.toContain(join(place.home, path));
          expect(JSON.stringify(it.model.requests.at(-1))).toContain(sentence);
        }
        expect(existsSync(join(place.home, "notes"))).toBe(name === "a start file");
      });

  test("where nothing can be taken back, what is new is removed all the same", async () => {
    using place = openPlace();
    const code = "echo x > .zshrc; echo x > notes; git init -q --bare bare; echo x > bare/hooks/post-receive";
    await using it = await start(place, [shell(code), "Done."], { cwd: place.home, layer: "off" });
    await it.tell("go");
    expect(
      readdirSync(place.home)
        .filter((name) => /^(\.zshrc|notes|bare)$/.test(name))
        .sort(),
    ).toEqual(["bare", "notes"]);
    expect(existsSync(join(place.home, "bare/hooks/post-receive"))).toBe(false);
  });

  for (const layer of layers)
    test(`${layer}: what is moved there is where it was`, async () => {
      using place = openPlace();
      place.put(join(place.home, "mine"), "mine\n");
      await using it = await start(place, [shell("mv mine .zshrc"), "Done."], { cwd: place.home, layer });
      await it.tell("go");
      expect(textOf(join(place.home, "mine"))).toBe("mine\n");
      expect(existsSync(join(place.home, ".zshrc"))).toBe(false);
    });

  for (const layer of layers)
    test(`${layer}: of a folder that is new, what is allowed by its name is kept`, async () => {
      using place = openPlace();
      const code = shell("mkdir -p .config/fish; echo x > .config/fish/config.fish; echo x > .config/fish/other");
      await using it = await start(place, [code, "Done."], {
        cwd: place.home,
        layer,
        allowWrite: [join(place.home, ".config/fish/config.fish")],
      });
      await it.tell("go");
      expect(readdirSync(join(place.home, ".config/fish"))).toEqual(["config.fish"]);
    });

  test("whoever works in a folder of start files means to", async () => {
    using place = openPlace();
    const cwd = join(place.home, ".config/nvim");
    mkdirSync(cwd, { recursive: true });
    await using it = await start(place, [shell("echo x > init.lua"), "Done."], { cwd });
    await it.tell("go");
    expect(textOf(join(cwd, "init.lua"))).toBe("x\n");
  });
});

const beside: readonly [name: string, code: string, gone: string][] = [
  ["a start file", "echo x > ~/.zshrc", ".zshrc"],
  ["a program", "echo x > ~/.local/bin/ls || { mkdir ~/.local/bin; echo x > ~/.local/bin/ls; }", ".local/bin"],
  ["what starts with the desktop", "mkdir -p ~/.config/autostart; echo x > ~/.config/autostart/x", ".config/autostart"],
  [
    "a link in the place of the folder around it",
    "mkdir -p ~/m/fish; echo x > ~/m/fish/x; ln -s m ~/.config",
    ".config",
  ],
  ["one that is a link", "ln -s notes ~/.gitconfig", ".gitconfig"],
  [
    "one in a folder that takes the place of another",
    "mv ~/.local ~/.mine; mkdir -p ~/.local/bin; echo x > ~/.local/bin/ls",
    ".local/bin",
  ],
];

describe.skipIf(why)(`in a home folder that may be written, beside the workspace${why && ` (${why})`}`, () => {
  for (const layer of layers)
    for (const [name, code, gone] of beside)
      test(`${layer}: ${name} is not kept, and person and model are told`, async () => {
        using place = openPlace();
        place.put(join(place.home, ".local/share/mine"), "mine\n");
        await using it = await start(place, [shell(code, "echo x > ~/notes"), "Done."], {
          layer,
          allowWrite: [place.home],
        });
        const { chunks } = await it.tell("go");
        const path = join(place.home, gone);
        expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
        expect(textOf(join(place.home, "notes"))).toBe("x\n");
        const sentence = `${path} was not kept: a shell or a program of yours would read it`;
        expect(reports(chunks)[0]!.effects.denied!.join("\n")).toContain(sentence);
        expect(JSON.stringify(it.model.requests.at(-1))).toContain(sentence);
      });

  for (const layer of layers)
    test(`${layer}: what the person has, or makes in the meantime, stays as it is`, async () => {
      using place = openPlace();
      place.put(join(place.home, ".bashrc"), "mine\n");
      const code = shell("echo x >> ~/.bashrc; echo x >> ~/.zshrc; echo x > ~/bin/ls; echo x > ~/notes");
      await using it = await start(place, [shell("true"), "Done.", code, "Done.", code, "Done."], { layer });
      await it.tell("go");
      place.put(join(place.home, ".zshrc"), "mine\n");
      place.put(join(place.home, "bin/mine"), "mine\n");
      for (const again of ["once", "and once more"]) {
        await it.interpreter.rule({ verdict: "allow", kind: "write", pattern: place.home }, "once");
        await it.tell(again);
        expect(textOf(join(place.home, "notes"))).toBe("x\n");
        rmSync(join(place.home, "notes"));
      }
      for (const name of [".bashrc", ".zshrc", "bin/mine"]) expect(textOf(join(place.home, name))).toBe("mine\n");
      expect(readdirSync(join(place.home, "bin"))).toEqual(["mine"]);
    });

  for (const layer of layers)
    test(`${layer}: what is allowed by its name is kept`, async () => {
      using place = openPlace();
      const code = "echo x > ~/.zshrc; echo x > ~/.zshenv; mkdir ~/bin; echo x > ~/bin/mine; echo x > ~/bin/ls";
      await using it = await start(place, [shell(code), "Done."], {
        layer,
        allowWrite: [place.home, join(place.home, ".zshrc"), join(place.home, "bin/mine")],
      });
      await it.tell("go");
      expect(textOf(join(place.home, ".zshrc"))).toBe("x\n");
      expect(existsSync(join(place.home, ".zshenv"))).toBe(false);
      expect(readdirSync(join(place.home, "bin"))).toEqual(["mine"]);
    });
});

describe.skipIf(why)(`in repositories${why && ` (${why})`}`, () => {
  for (const layer of layers)
    test(`${layer}: what makes a hook in several steps is not kept either`, async () => {
      using place = openPlace();
      const script = [
        // A folder that becomes a repository by its name.
        shell(
          "mkdir -p one/store/hooks; echo x > one/store/hooks/pre-commit; git init -q two; cp -r two/.git/. one/store",
        ),
        shell("mv one/store one/.git"),
        // One that becomes a repository by what is in it.
        shell("mkdir -p three/hooks; echo x > three/hooks/pre-receive"),
        shell("git init -q --bare other; cp -r other/HEAD other/objects other/refs three"),
        // Hooks elsewhere in a repository.
        shell("mkdir -p two/.git/mine; echo x > two/.git/mine/pre-commit"),
        shell("git -C two config core.hooksPath .git/mine"),
        // A link that leads there later.
        shell("rm -rf two/.git/hooks; mkdir two/elsewhere; echo x > two/elsewhere/pre-commit"),
        shell("ln -s ../elsewhere two/.git/hooks"),
        "Done.",
      ];
      await using it = await start(place, script, { layer });
      const { chunks } = await it.tell("go");
      const at = (path: string) => join(place.work, path);
      expect(existsSync(at("one/.git/HEAD"))).toBe(true);
      expect(existsSync(at("one/.git/hooks/pre-commit"))).toBe(false);
      expect(["objects", "refs"].filter((name) => existsSync(at(`three/${name}`)))).toEqual([]);
      expect(textOf(at("two/.git/config"))).not.toContain("mine");
      expect(existsSync(at("two/.git/hooks"))).toBe(false);
      const denied = reports(chunks).map(({ effects }) => effects.denied?.join("\n") ?? "");
      expect(denied[0]).toMatch(/hooks\/pre-commit was not kept: git would run it by itself, outside of the sandbox/);
      expect(denied[3]).toMatch(/three\/objects was not kept: it makes a repository of a folder that has hooks in it/);
      expect(denied[5]).toMatch(/two\/\.git\/config was not kept: it has git look for hooks/);
      expect(denied[7]).toContain("two/.git/hooks was not kept");
    });

  for (const layer of layers)
    test(`${layer}: hooks that were there stay as they were`, async () => {
      using place = openPlace();
      spawnSync("git", ["init", "-q", join(place.work, "repo")]);
      const hook = join(place.work, "repo/.git/hooks/pre-commit");
      place.put(hook, "#!/bin/sh\necho mine\n", 0o755);
      const code = ["echo evil >> repo/.git/hooks/pre-commit", "echo kept > repo/file"];
      await using it = await start(place, [shell(...code), shell("cat repo/.git/hooks/pre-commit"), "Done."], {
        layer,
      });
      const { chunks } = await it.tell("go");
      expect(textOf(hook)).toBe("#!/bin/sh\necho mine\n");
      expect(lstatSync(hook).mode & 0o777).toBe(0o755);
      expect(textOf(join(place.work, "repo/file"))).toBe("kept\n");
      // Code sees it again, too, and nothing was done that undo would have to take back.
      expect(JSON.stringify(it.model.requests.at(-1))).toContain("echo mine\\n");
      expect(reports(chunks)[0]!.effects.files.map(({ name }) => name)).toEqual(["repo/file"]);
    });

  for (const layer of layers)
    test(`${layer}: a repository that is moved takes its hooks along, as they were`, async () => {
      using place = openPlace();
      for (const name of ["same", "other"]) {
        spawnSync("git", ["init", "-q", join(place.work, name)]);
        place.put(join(place.work, name, ".git/hooks/pre-commit"), `#!/bin/sh\necho ${name}\n`, 0o755);
      }
      const code = ["mv same moved", "mv other changed", "echo evil >> changed/.git/hooks/pre-commit"];
      await using it = await start(place, [shell(...code), "Done."], { layer });
      await it.tell("go");
      expect(readdirSync(place.work).sort()).toEqual(["changed", "moved"]);
      expect(textOf(join(place.work, "moved/.git/hooks/pre-commit"))).toBe("#!/bin/sh\necho same\n");
      expect(existsSync(join(place.work, "changed/.git/hooks/pre-commit"))).toBe(false);
    });

  test("a program that goes on writing hooks while the step is kept has none on the disk", async () => {
    using place = openPlace();
    const loop = `while true:
  for n in range(60):
    try: open(f'r{n}/.git/hooks/pre-commit', 'w').write('x')
    except OSError: pass
`;
    place.put(join(place.work, "loop.py"), loop);
    const make = "for n in $(seq 0 59); do git init -q r$n; done";
    const script = [
      shell("(setsid python3 loop.py >/dev/null 2>&1 &)", make),
      shell("echo 1 > a", "rm -rf r1 r2; git init -q r1"),
      shell("echo 2 > a"),
      "Done.",
    ];
    await using it = await start(place, script);
    await it.tell("go");
    const found = spawnSync("find", [place.work, "-path", "*/hooks/*", "!", "-name", "*.sample"], { encoding: "utf8" });
    expect(found.stdout).toBe("");
    expect(existsSync(join(place.work, "r0/.git/HEAD"))).toBe(true);
  });
});

describe.skipIf(why)(`what is decided on${why && ` (${why})`}`, () => {
  const code = "git init -q repo; echo x > repo/.git/hooks/pre-commit; echo y > file";

  for (const layer of layers)
    test(`${layer}: it is not among what is asked about, and comes back with nothing`, async () => {
      using place = openPlace();
      const asked: EffectsQuestion[] = [];
      await using it = await start(place, [shell(code), "Done."], {
        layer,
        autoRun: false,
        approveWhat: "effects",
        approveEffects: async (question) => {
          asked.push(question);
          return { type: "keep" };
        },
      });
      await it.tell("go");
      const hook = join(place.work, "repo/.git/hooks/pre-commit");
      expect(asked).toHaveLength(1);
      expect(asked[0]!.effects.denied!.join()).toContain("repo/.git/hooks/pre-commit was not kept");
      expect(asked[0]!.effects.files.map(({ name }) => name)).toEqual(["file", "repo/"]);
      expect(it.interpreter.effects()!.effects.denied).toEqual(asked[0]!.effects.denied);
      expect(existsSync(hook)).toBe(false);
      await it.interpreter.undo();
      expect(readdirSync(place.work)).toEqual([]);
      await it.interpreter.redo();
      expect(readdirSync(place.work).sort()).toEqual(["file", "repo"]);
      expect(existsSync(hook)).toBe(false);
    });

  test("with --plan nothing is written at all", async () => {
    using place = openPlace();
    await using it = await start(place, [shell(code), "Done."], { plan: true });
    await it.tell("go");
    expect(readdirSync(place.work)).toEqual([]);
  });

  for (const layer of layers)
    test(`${layer}: what the person allows by its name is kept, and nothing beside it`, async () => {
      using place = openPlace();
      spawnSync("git", ["init", "-q", join(place.work, "repo")]);
      const hooks = join(place.work, "repo/.git/hooks");
      const both = shell(`echo x > ${hooks}/pre-commit; echo x > ${hooks}/pre-push`);
      await using it = await start(place, [both, "No.", both, "Yes.", both, "All."], { layer });
      await it.tell("go");
      const there = () => readdirSync(hooks).filter((name) => !name.endsWith(".sample"));
      expect(there()).toEqual([]);
      await it.interpreter.rule({ verdict: "allow", kind: "write", pattern: place.work }, "conversation");
      const words = await it.interpreter.rule(
        { verdict: "allow", kind: "write", pattern: join(hooks, "pre-commit") },
        "conversation",
      );
      expect(words).not.toContain("next start");
      await it.tell("again");
      expect(there()).toEqual(["pre-commit"]);
      await it.interpreter.rule({ verdict: "allow", kind: "write", pattern: hooks }, "conversation");
      await it.tell("again");
      expect(there().sort()).toEqual(["pre-commit", "pre-push"]);
    });

  for (const layer of layers)
    test(`${layer}: what is allowed once is kept of the next step, and not of the one after it`, async () => {
      using place = openPlace();
      spawnSync("git", ["init", "-q", join(place.work, "repo")]);
      const hook = join(place.work, "repo/.git/hooks/pre-commit");
      const write = (text: string) => shell(`echo ${text} > ${hook}`);
      await using it = await start(place, [write("first"), write("second"), "Done."], { layer });
      await it.interpreter.rule({ verdict: "allow", kind: "write", pattern: hook }, "once");
      await it.tell("go");
      expect(textOf(hook)).toBe("first\n");
    });

  test("also where it lies read-only, and from the start", async () => {
    using place = openPlace();
    spawnSync("git", ["init", "-q", place.work]);
    const hook = join(place.work, ".git/hooks/pre-commit");
    const write = shell("echo x > .git/hooks/pre-commit; echo x > .git/hooks/pre-push; true");
    {
      await using it = await start(place, [write, "No.", write, "Yes."]);
      await it.tell("go");
      expect(existsSync(hook)).toBe(false);
      expect(await it.interpreter.rule({ verdict: "allow", kind: "write", pattern: hook }, "always")).toContain(
        "rules",
      );
      await it.tell("again");
      expect(textOf(hook)).toBe("x\n");
      rmSync(hook);
    }
    await using it = await start(place, [write, "Yes."]);
    await it.tell("go");
    expect(textOf(hook)).toBe("x\n");
    expect(existsSync(join(place.work, ".git/hooks/pre-push"))).toBe(false);
  });

  test("what a killed program had caught is kept without it", async () => {
    using place = openPlace();
    const script = join(import.meta.dirname, "until-killed.ts");
    const hooks = join(import.meta.dirname, "text-imports.mjs");
    const child = spawn(process.execPath, ["--import", hooks, script, place.work], {
      env: place.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
    await using it = await start(place, [shell("true"), "Done."], { sandbox: "off" });
    const { notices } = await it.tell("go");
    expect(notices.map(({ content }) => String(content)).join("\n")).toContain("was kept");
    expect(textOf(join(place.work, "made/file"))).toBe("y\n");
    expect(existsSync(join(place.work, "made/.git/HEAD"))).toBe(true);
    expect(existsSync(join(place.work, "made/.git/hooks/pre-commit"))).toBe(false);
  });
});

describe.skipIf(why)(`what people do every day${why && ` (${why})`}`, () => {
  const identity =
    "git config --file x user.name; export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b";

  for (const layer of layers)
    test(`${layer}: repositories are made, copied and worked in, also with branches that are called hooks`, async () => {
      using place = openPlace();
      const code = [
        identity,
        "git init -q one && cd one && echo 1 > file && git add . && git commit -qm first",
        "git checkout -qb hooks/pre-commit && echo 2 > file && git commit -qam second",
        "mkdir hooks && echo ours > hooks/index.js && git add . && git commit -qm third && cd ..",
        "git clone -q one two && git -C two config user.name Ada && git -C two config alias.st status",
        "git -c protocol.file.allow=always -C two submodule --quiet add ../one part",
      ];
      await using it = await start(place, [shell(...code), "Done."], { layer });
      const { chunks, notices } = await it.tell("go");
      expect(reports(chunks)[0]!.effects.denied ?? []).toEqual([]);
      expect(notices).toEqual([]);
      const git = (...args: string[]) =>
        spawnSync("git", ["-C", join(place.work, "two"), ...args], { encoding: "utf8", env: place.env }).stdout;
      expect(git("log", "--format=%s")).toBe("third\nsecond\nfirst\n");
      expect(git("fsck")).toBe("");
      expect(textOf(join(place.work, "one/hooks/index.js"))).toBe("ours\n");
      expect(existsSync(join(place.work, "two/part/file"))).toBe(true);
    });

  test("a package that has hooks installed beside the repository is told about", async () => {
    using place = openPlace();
    spawnSync("git", ["init", "-q", place.work]);
    place.put(
      join(place.work, "package.json"),
      JSON.stringify({ name: "a", version: "1.0.0", scripts: { prepare: "node prepare.cjs" } }),
    );
    const prepare = `const fs = require("fs"); fs.mkdirSync(".husky/_", { recursive: true });
fs.writeFileSync(".husky/_/pre-commit", "#!/bin/sh\\n", { mode: 0o755 });
require("child_process").execFileSync("git", ["config", "core.hooksPath", ".husky/_"]);`;
    place.put(join(place.work, "prepare.cjs"), prepare);
    await using it = await start(place, [shell("npm install --no-audit --no-fund --loglevel=error"), "Done."]);
    const { notices } = await it.tell("go");
    const sentences = notices.map(({ content }) => String(content)).join("\n");
    expect(existsSync(join(place.work, ".husky/_/pre-commit"))).toBe(true);
    expect(sentences).toContain(".husky/_ has hooks (core.hooksPath): git runs them, without a sandbox");
    expect(sentences).toContain(".git/config has core.hookspath");
  });

  test("a tool that installs hooks in the repository works, and is told what of it was not kept", async () => {
    using place = openPlace();
    const code = [
      "git init -q repo && cd repo",
      'for hook in pre-push post-checkout post-commit post-merge; do echo "#!/bin/sh" > .git/hooks/$hook; done',
      "echo '*.bin filter=big' > .gitattributes && git config filter.big.clean big-clean",
    ];
    await using it = await start(place, [shell(...code), "Done."]);
    const { chunks, notices } = await it.tell("go");
    expect(reports(chunks)[0]!.effects.denied).toEqual([
      `repo/.git/hooks/post-checkout, repo/.git/hooks/post-commit, repo/.git/hooks/post-merge and 1 more were not kept: git would run them by itself, outside of the sandbox. To allow it: /allow write ${join(place.work, "repo/.git/hooks")}, and then run the code again.`,
    ]);
    expect(notices.map(({ content }) => String(content)).join()).toContain("filter.big.clean");
    expect(existsSync(join(place.work, "repo/.gitattributes"))).toBe(true);
  });
});
