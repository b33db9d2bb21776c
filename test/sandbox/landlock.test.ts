// Where namespaces are refused, Landlock holds code back: the same attacks, but for those that it cannot stop, and everyday tasks.

import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { lastingPlace } from "../support/lasting-folder.ts";
import { testPython } from "../support/session.ts";
import { whyNoLandlock } from "../support/without-namespaces.ts";
import { as, attempt, isRoot, runScript, type Try } from "./attempt.ts";
import { tasks } from "./everyday-tasks.ts";
import { type Outcome, titles } from "./run-attacks.ts";
import type { Done } from "./run-tasks.ts";

const why = whyNoLandlock() || (lastingPlace ? "" : "there is no folder for it that is not a temporary one");

/** What gets through, and why it does. docs/security.md says the same. */
interface Beyond {
  title: string;
  because: string;
  /** Also there. */
  strict?: true;
  /** Only for them, or only where there is something to be found. */
  when?: (asked: Try) => boolean;
}

const names = "names are seen everywhere: Landlock knows of no folder whose own names alone may be listed";
const hooks =
  "a rule for a folder holds for all in it, hooks of git too: what is written there is not kept after the block";
const shared = "there is one /proc for all";
const beyond: readonly Beyond[] = [
  {
    title: "writing: names of disks",
    because: names,
    when: () => spawnSync("find", ["/dev", "-type", "b"]).stdout.length > 0,
  },
  { title: "secrets: our own listing of a hidden folder", because: names },
  { title: "secrets: keys of the system", because: names, when: (asked) => systemKeys(asked) },
  { title: "secrets: what other processes were started with", because: shared, strict: true },
  { title: "processes: seeing it at all", because: shared, strict: true },
  {
    title: "processes: other processors for it",
    because: "seccomp does not know whose a process is",
    when: ({ who }) => who === "ordinary user",
  },
  { title: "persisting: a hook of the repository", because: hooks },
  { title: "persisting: a hook, after moving the folder away", because: hooks },
  { title: "persisting: a hook, after moving the repository away", because: hooks },
  { title: "persisting: a hook that is taken off", because: hooks },
];

function systemKeys(asked: Try): boolean {
  const [command, ...args] = [...as(asked), "sh", "-c", "ls /etc/ssl/private /etc/ssh 2>/dev/null | grep -q key"];
  return spawnSync(command!, args).status === 0;
}

const tries: Try[] = [
  ...(isRoot ? [{ who: "administrator", level: "workspace", landlock: true } as const] : []),
  { who: "ordinary user", level: "workspace", landlock: true },
  { who: "ordinary user", level: "strict", only: "secrets", landlock: true },
];

for (const each of tries) {
  const { who, level, only = "" } = each;
  describe.skipIf(why)(`as an ${who}, ${level}${why && ` (${why})`}`, () => {
    let outcome: Outcome;
    beforeAll(async () => {
      outcome = await attempt(each);
    }, 180_000);

    test("the sandbox is up", () => {
      expect(outcome.skipped).toBeUndefined();
      expect(outcome.through["after all of them"]).toBeUndefined();
    });
    for (const title of titles.filter((name) => name.includes(only))) {
      const known = beyond.find((one) => one.title === title && (level === "workspace" || one.strict));
      const isBeyond = known !== undefined && (known.when?.(each) ?? true);
      test(`${title}${isBeyond ? ` gets through: ${known.because}` : ""}`, () => {
        expect(outcome.outputs).toHaveProperty([title]);
        const through = outcome.through[title] ?? [];
        if (!isBeyond) expect(through, outcome.outputs[title]).toEqual([]);
        else expect(through, "it is stopped now: take it off the list, and off docs/security.md").not.toEqual([]);
        // Whatever was written meanwhile, no hook is left that git would run.
        expect(through.filter((one) => /hooks\/(pre-commit|post-checkout) was changed/.test(one))).toEqual([]);
      });
    }
  });
}

test("what is said to get through are attacks that there are", () => {
  expect(titles).toEqual(expect.arrayContaining(beyond.map(({ title }) => title)));
});

/** Terminals cannot be told apart from those of the person, so there are none. */
const without = new Set(["a terminal of its own"]);
const wanted = tasks.filter(({ name }) => !without.has(name));

describe.skipIf(why)(`everyday tasks${why && ` (${why})`}`, () => {
  let done: Done;
  const has = (program: string): boolean => spawnSync("which", [program]).status === 0;
  const pythonHas = (module: string): boolean => spawnSync(testPython, ["-c", `import ${module}`]).status === 0;
  const isHere = ({ needs = [], modules = [] }: (typeof tasks)[number]): boolean =>
    needs.every(has) && modules.every(pythonHas);
  const here = wanted.filter(isHere);
  beforeAll(async () => {
    const names = here.map(({ name }) => name);
    done = JSON.parse(
      await runScript("run-tasks.ts", { who: "administrator", landlock: true }, [testPython, ...names]),
    );
  }, 180_000);

  for (const { name, says } of here)
    test(name, () => {
      expect(done.outputs[name]).toMatch(says);
      expect(done.missing[name]).toBeUndefined();
    });

  test("a port of this machine is reached when it is allowed, also by programs that know no proxy", () => {
    expect(done.outputs["a port that was allowed"]).toBe("closed, then open");
  });

  test("a hook that a block wrote is taken away, and it is said", () => {
    expect(done.outputs["a hook"]).toMatch(/^written\n/);
    expect(done.outputs["a hook"]).toContain(".git/hooks/pre-commit was not kept");
    expect(done.outputs["a hook"]).not.toContain("and left");
  });
});
