// Shells that are saved and brought back in another process.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SavedState } from "../../src/languages/index.ts";
import { bash, dash, zsh } from "../../src/languages/shell/index.ts";
import { startSession, type TestSession } from "../support/session.ts";

const room = { value: 20_000_000, total: 50_000_000 };
const printed = async (session: TestSession, code: string) => (await session.run(code)).stdout.trim();
const kept = ({ names }: SavedState) => names.filter(({ gone }) => gone === undefined).map(({ name }) => name);

const shells = [
  { name: "bash", language: bash, functions: true },
  { name: "zsh", language: zsh, functions: true },
  { name: "dash", language: dash, functions: false },
];

test.each(shells)(
  "$name: folder, variables, functions and aliases come back",
  async ({ language, functions, name }) => {
    await using first = await startSession(language);
    mkdirSync(join(first.folder, "it's here"));
    await first.run('cd "it\'s here"');
    await first.run(`text='one
two "three" $HOME \\ it'"'"'s'
export COLOUR='red and blue'
count=5
umask 027
alias hi='echo hello'`);
    if (functions) {
      await first.run(`greet() {
  echo "hello $1"
  cat <<END
}
END
}
list=(a "b c" d)`);
      if (name === "bash") await first.run("declare -A map=([x]=1 [y z]=2); declare -i number=7");
    }
    const state = await first.session.save!("", room);
    await using second = await startSession(language);
    const { back, gone, notes } = await second.session.restore!({ folder: "", state, later: [] });
    expect({ gone, notes }).toEqual({ gone: [], notes: [] });
    expect(back).toEqual(expect.arrayContaining(["folder", "text", "COLOUR", "count", "hi"]));
    expect(await printed(second, 'printf "%s|" "$text" "$count"; pwd; umask')).toBe(
      `one\ntwo "three" $HOME \\ it's|5|${join(first.folder, "it's here")}\n${name === "zsh" ? "027" : "0027"}`,
    );
    expect(await printed(second, "env | grep COLOUR")).toBe("COLOUR=red and blue");
    expect(await printed(second, "env | grep -c '^count='")).toBe("0");
    expect(await printed(second, "alias hi")).toMatch(/^(alias )?hi='echo hello'$/);
    if (!functions) return;
    expect(back).toEqual(expect.arrayContaining(["greet", "list"]));
    expect(await printed(second, 'greet you; echo "${#list[@]}"')).toBe("hello you\n}\n3");
    if (name === "bash") expect(await printed(second, 'number=number+1; echo "${map[y z]} $number"')).toBe("2 8");
  },
);

test.each(shells)("$name: what the process was given, and secrets, are not written down", async ({ language }) => {
  await using session = await startSession(language, [], { ...process.env, GIVEN: "from outside", KEPT: "1" });
  await session.run("export MY_TOKEN=hush-1; password=hush-2; KEPT=2; other=3");
  const state = await session.session.save!("", room);
  expect(kept(state).sort()).toEqual(["KEPT", "other"]);
  expect(
    state.names
      .filter(({ gone }) => gone)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["MY_TOKEN", "password"]);
  expect(JSON.stringify(state)).not.toMatch(/hush|from outside/);
});

test.each(shells)("$name: a block does not feel that it was saved", async ({ language, name }) => {
  await using session = await startSession(language);
  await session.run("x=1; (exit 3)");
  await session.session.save!("", room);
  expect(await printed(session, 'echo "$? $x"')).toBe("3 1");
  await session.run("set -eu");
  await session.session.save!("", room);
  expect(await printed(session, 'echo "$x"; case $- in *e*) echo on ;; esac')).toBe("1\non");
  if (name === "bash")
    expect(await printed(session, "jobs; declare -F | grep -v _oi_ | grep -v ' read$' || true")).toBe("");
});

test("a folder that is gone is said, and another shell does not take it", async () => {
  await using first = await startSession(bash);
  mkdirSync(join(first.folder, "gone"));
  await first.run("cd gone; x=1");
  const state = await first.session.save!("", room);
  rmSync(join(first.folder, "gone"), { recursive: true });
  await using second = await startSession(bash);
  const { notes } = await second.session.restore!({ folder: "", state, later: [] });
  expect(notes).toEqual([
    `The folder ${join(first.folder, "gone")} is not there any more; it starts in ${second.folder}.`,
  ]);
  expect(await printed(second, "echo $x")).toBe("1");
  await using other = await startSession(dash);
  await expect(other.session.restore!({ folder: "", state, later: [] })).rejects.toThrow(
    "It was saved by bash, and this is sh.",
  );
});
