// What people ask for every day runs in the sandbox as it does without one.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Interpreter } from "../../src/interpreter/index.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { testPython } from "../support/session.ts";
import { tasks } from "./everyday-tasks.ts";

const why = whyNoLayer();
let place: string;
let interpreter: Interpreter;

beforeAll(async () => {
  if (why) return;
  place = lastingFolder("tasks-");
  for (const name of ["home", "work"]) mkdirSync(join(place, name));
  spawnSync("git", ["init", "-q", join(place, "work")]);
  writeFileSync(join(place, "home/notes.txt"), "what was noted\n");
  writeFileSync(join(place, "work/data.csv"), "name,amount\nAda,3\nBob,4\n");
  interpreter = new Interpreter({
    cwd: join(place, "work"),
    sandbox: "workspace",
    conversation: true,
    autoRun: true,
    python: testPython,
    env: { ...process.env, HOME: join(place, "home"), INTERPRETER_HOME: join(place, "home/.oi") },
  });
  expect(await run("shell", "grep -c ' /dev tmpfs' /proc/mounts")).toContain("1");
});

afterAll(async () => {
  await interpreter?.close();
  if (place) rmSync(place, { recursive: true, force: true });
});

async function run(language: string, code: string): Promise<string> {
  const messages = await interpreter.computer.run(language, code);
  return messages.map(({ content }) => String(content)).join("\n");
}

const inWork = (name: string): string => join(place, "work", name);
const has = (program: string): boolean => spawnSync("which", [program]).status === 0;
const pythonHas = (module: string): boolean => spawnSync(testPython, ["-c", `import ${module}`]).status === 0;

test("there are more than 30 of them", () => {
  expect(tasks.length).toBeGreaterThan(30);
});

describe.skipIf(why)(`in the sandbox${why && ` (${why})`}`, () => {
  for (const { name, language, code, says, makes = [], needs = [], modules = [] } of tasks) {
    const missing = [...needs.filter((each) => !has(each)), ...modules.filter((each) => !pythonHas(each))];
    test.skipIf(missing.length > 0)(
      `${name}${missing.length > 0 ? ` (${missing.join(", ")} is not here)` : ""}`,
      async () => {
        expect(await run(language, code)).toMatch(says);
        for (const file of makes) expect(existsSync(inWork(file)), file).toBe(true);
      },
    );
  }

  test("a page that code serves is found from outside", async () => {
    await run(
      "python",
      "import http.server, threading\nserved = http.server.ThreadingHTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\nthreading.Thread(target=served.serve_forever, daemon=True).start()",
    );
    const port = /port: (\d+)/.exec(await run("python", "print('port:', served.server_port)"))?.[1];
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${port}/data.csv`).then(
            (answer) => answer.text(),
            () => "",
          ),
        { timeout: 10_000 },
      )
      .toContain("Ada");
  });

  test("a port of this machine that is allowed is found from inside", async () => {
    const server = createServer((_request, response) => response.end("from outside\n"));
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    try {
      expect(await run("shell", `curl -sS -m 5 http://127.0.0.1:${port}/`)).not.toContain("from outside");
      await interpreter.rule({ verdict: "allow", kind: "host", pattern: `localhost:${port}` }, "conversation");
      expect(await run("shell", `curl -sS -m 5 http://127.0.0.1:${port}/`)).toContain("from outside");
    } finally {
      server.close();
    }
  });

  test.skipIf(!has("git"))("commits in the repository that was there before are real", async () => {
    const said = await run(
      "shell",
      "git config user.name Ada; git config user.email a@b.c; git add data.csv && git commit -qm first && git branch other && git stash list && git log --oneline",
    );
    expect(said).toContain("first");
    const { stdout } = spawnSync("git", ["-C", inWork(""), "log", "--all", "--format=%s %D"], { encoding: "utf8" });
    expect(stdout).toMatch(/^first .*other/);
    await run("shell", "echo 1 >> data.csv; git commit -qam second; git gc -q; git checkout -q other");
    expect(spawnSync("git", ["-C", inWork(""), "fsck"], { encoding: "utf8" }).status).toBe(0);
    expect(spawnSync("git", ["-C", inWork(""), "status", "--short", "data.csv"], { encoding: "utf8" }).stdout).toBe("");
  });

  test("what a step wrote can be read where it really is", async () => {
    await run("shell", "echo real > real.txt");
    expect(readFileSync(inWork("real.txt"), "utf8")).toBe("real\n");
  });
});
