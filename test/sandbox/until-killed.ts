// Makes a repository with a hook in a sandbox, says so, and waits to be killed before anything is kept: `FOLDER`. Run by later.test.ts.

import { Interpreter } from "../../src/interpreter/index.ts";

const interpreter = new Interpreter({ cwd: process.argv[2]!, sandbox: "workspace", conversation: true, autoRun: true });
const code = "git init -q made; echo x > made/.git/hooks/pre-commit; echo y > made/file; echo now; sleep 60";
for await (const { content } of interpreter.computer.run("shell", code, { stream: true }))
  if (String(content).includes("now")) console.log("now");
