// Runs everyday tasks in a sandbox, as whoever started this process, and prints what each said. Run by landlock.test.ts.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Interpreter } from "../../src/interpreter/index.ts";
import { tasks } from "./everyday-tasks.ts";

/** By the name of the task. */
export interface Done {
  outputs: Record<string, string>;
  /** Files that are not there although a task made them. */
  missing: Record<string, string[]>;
}

async function run(base: string, python: string, names: readonly string[]): Promise<Done> {
  const [home, work] = [join(base, "home"), join(base, "work")];
  for (const folder of [home, work]) mkdirSync(folder);
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };
  spawnSync("git", ["init", "-q", work], { env });
  writeFileSync(join(home, "notes.txt"), "what was noted\n");
  writeFileSync(join(work, "data.csv"), "name,amount\nAda,3\nBob,4\n");
  const options = { cwd: work, sandbox: "workspace", conversation: true, autoRun: true, python, env } as const;
  const interpreter = new Interpreter(options);
  const done: Done = { outputs: {}, missing: {} };
  const tell = async (language: string, code: string): Promise<string> =>
    (await interpreter.computer.run(language, code)).map(({ content }) => String(content)).join("\n");
  try {
    for (const { name, language, code, makes = [] } of tasks.filter((each) => names.includes(each.name))) {
      done.outputs[name] = await tell(language, code);
      const missing = makes.filter((file) => !existsSync(join(work, file)));
      if (missing.length > 0) done.missing[name] = missing;
    }
    done.outputs["a port that was allowed"] = await reachAllowedPort(interpreter, tell);
    done.outputs["a hook"] = await tell("shell", "echo 'echo ran' > .git/hooks/pre-commit && echo written");
    if (existsSync(join(work, ".git/hooks/pre-commit"))) done.outputs["a hook"] += " and left";
  } finally {
    await interpreter.close();
  }
  return done;
}

/** Before and after it was allowed. */
async function reachAllowedPort(
  interpreter: Interpreter,
  tell: (language: string, code: string) => Promise<string>,
): Promise<string> {
  const server = createServer((_request, response) => response.end("from outside\n"));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const socket = `import socket; s = socket.create_connection(('127.0.0.1', ${port})); s.send(b'GET / HTTP/1.0\\r\\n\\r\\n'); print(s.makefile().read())`;
  try {
    const before = await tell("python", socket);
    await interpreter.rule({ verdict: "allow", kind: "host", pattern: `localhost:${port}` }, "conversation");
    const after = await tell("python", socket);
    return `${before.includes("from outside") ? "open" : "closed"}, then ${after.includes("from outside") ? "open" : after}`;
  } finally {
    server.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , base = "", python = "", ...names] = process.argv;
  console.log(JSON.stringify(await run(base, python, names)));
  process.exit();
}
