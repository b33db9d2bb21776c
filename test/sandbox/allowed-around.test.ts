// A folder that the person allows has secrets and our own files in it: those stay closed, whatever lies around them is let be written.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { python, whyNoLayer } from "../support/protected-folder.ts";
import { run } from "../support/scripted-model.ts";

const why = whyNoLayer();

function openPlace() {
  const folder = lastingFolder("around-");
  const [home, cwd] = [join(folder, "home"), join(folder, "work")];
  for (const each of [join(home, ".ssh"), join(home, ".oi"), join(home, "bin"), cwd])
    mkdirSync(each, { recursive: true });
  writeFileSync(join(home, ".ssh/id"), "the-secret\n");
  writeFileSync(join(home, ".bashrc"), "# mine\n");
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };
  return {
    home,
    cwd,
    options: { cwd, env, python, sandbox: "workspace", conversation: true } as const,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const attack = [
  "cat ~/.ssh/id",
  "echo 'auto_run: true' > ~/.oi/settings.yaml",
  "echo x >> ~/.bashrc",
  "echo x > ~/bin/ls",
  "ls ~/.oi/undo",
  "echo here > here.txt",
  "echo tried",
].join("; ");

function check(place: ReturnType<typeof openPlace>, output: string): void {
  expect(output).toContain("tried");
  expect(output).not.toContain("the-secret");
  expect(existsSync(join(place.home, ".oi/settings.yaml"))).toBe(false);
  expect(existsSync(join(place.home, "bin/ls"))).toBe(false);
  expect(readFileSync(join(place.home, ".bashrc"), "utf8")).toBe("# mine\n");
  expect(readFileSync(join(place.cwd, "here.txt"), "utf8")).toBe("here\n");
}

test.skipIf(why).each(["/", "~", "~/.."])("%s, from the start", async (written) => {
  using place = openPlace();
  const allowWrite = [written.replace("~", place.home)];
  await using told = await startInterpreter([], { ...place.options, allowWrite });
  const { computer } = told.interpreter;
  for (const language of ["shell", "python"]) {
    const code = language === "shell" ? attack : `import os; os.system(${JSON.stringify(attack)})`;
    check(place, (await computer.run(language, code)).map(({ content }) => content).join(""));
  }
});

test.skipIf(why).each(["/", "~", "~/.."])("%s, when code has asked for it", async (written) => {
  using place = openPlace();
  const allowed = written.replace("~", place.home);
  await using told = await startInterpreter(
    [
      run("shell", "echo a > ~/report.csv"),
      run("shell", "echo b > ~/report.csv"),
      run("shell", attack),
      run("python", `import os; os.system(${JSON.stringify(attack)})`),
      "Done.",
    ],
    { ...place.options },
  );
  await told.interpreter.computer.run("shell", "true");
  await told.interpreter.rule({ verdict: "allow", kind: "write", pattern: allowed }, "conversation");
  await told.tell("write a report");
  expect(readFileSync(join(place.home, "report.csv"), "utf8")).toBe("b\n");
  const outputs = told.interpreter.messages.filter(({ type }) => type === "console").map(({ content }) => content);
  const tried = outputs.filter((output) => output.includes("tried"));
  expect(tried).toHaveLength(2);
  for (const output of tried) check(place, output);
  expect(outputs.join("")).not.toContain("the-secret");
});
