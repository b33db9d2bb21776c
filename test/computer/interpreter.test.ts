// The whole way: a conversation's sessions reach the interpreter's own computer.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInterpreter } from "../support/interpreter.ts";
import { run } from "../support/scripted-model.ts";

test("code the model writes finds, reads and edits files of its working folder", async () => {
  const code = `import os
os.chdir("inner")
print(computer.files.search("colour", glob="*.txt"))
print(computer.files.edit("a.txt", "colour", "color"))`;
  await using it = await startInterpreter([
    run("shell", "mkdir inner; echo 'my colour' > inner/a.txt"),
    run("python", code),
    "Done.",
  ]);
  await it.tell("fix the spelling");
  const output = it.interpreter.messages.filter(({ type }) => type === "console").at(-1)!.content;
  expect(output).toContain("[{'path': 'a.txt', 'line': 1, 'text': 'my colour'}]");
  expect(output).toContain("-my colour\n+my color\n");
  expect(readFileSync(join(it.folder, "inner/a.txt"), "utf8")).toBe("my color\n");
});

test("computer.sessions() lists every live session from within one of them", async () => {
  const code =
    "town = 'Ulm'\nfor s in computer.sessions(): print(s['language'], s['busy'], [v['name'] for v in s['variables']][-1:])";
  await using it = await startInterpreter([run("javascript", "const y = 1"), run("python", code), "Done."]);
  await it.tell("look around");
  const output = it.interpreter.messages.filter(({ type }) => type === "console").at(-1)!.content;
  expect(output).toContain("javascript False ['y']\n");
  expect(output).toContain("python True ['town']\n");
});

test("a note comes beside the value, where the model sees it", async () => {
  await using it = await startInterpreter([
    run("javascript", "console.log((await computer.files.find('*', { limit: 1 })).length)"),
    "Done.",
  ]);
  for (const name of ["a", "b", "c"]) writeFileSync(join(it.folder, name), "");
  await it.tell("look");
  const output = it.interpreter.messages.find(({ type }) => type === "console")!.content;
  expect(output).toContain("1\n");
  expect(output).toContain("[computer.files.find: only the first 1 files;");
});
