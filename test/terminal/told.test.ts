// What the sandbox and the rules keep from code is said to the person, by whatever name code has called it. Real walls, real files.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lastingFolder } from "../support/lasting-folder.ts";
import { Place } from "../support/program.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { run, type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const why = whyNoLayer();
/** No temporary folder: those may be written. */
let outside: string;
beforeAll(() => {
  outside = lastingFolder("told-");
});
afterAll(() => rmSync(outside, { recursive: true, force: true }));

const start = (model: ScriptedModel) => ["-y", "--model", "openai-chat/scripted", "--api_base", model.openai];

/** What the person reads of one block in a pipe, on one line. */
async function read(
  block: ReturnType<typeof run>,
  args: readonly string[] = [],
  prepare: (place: Place) => void = () => {},
) {
  await using model = await scriptedModel([block, "So it is."]);
  using place = new Place();
  mkdirSync(join(place.folder, ".home"), { recursive: true });
  prepare(place);
  const { stdout, stderr } = await place.run([...start(model), ...args, "go"]);
  const heard = JSON.stringify(model.requests.at(-1)?.body);
  return { text: `${stdout}\n${stderr}`.replace(/\s+/g, " "), heard };
}

const ruled = (rule: string) => (place: Place) => writeFileSync(join(place.folder, ".home", "rules.yaml"), `${rule}\n`);

describe.skipIf(why)(`with walls${why && ` (${why})`}`, () => {
  test.each([
    ["shell", () => `cd '${outside}' && echo z > here.txt`],
    ["python", () => `import os\nos.chdir("${outside}")\nopen("here.txt", "w")`],
  ])("a relative name outside of the folder is told, in %s", async (language, code) => {
    const { text } = await read(run(language, code()));
    expect(text).toContain(`does not let code write ${join(outside, "here.txt")}.`);
    expect(text).toContain(`/allow write ${outside} for this conversation`);
  });

  test("also when the program says it in pieces", async () => {
    const path = join(outside, "in-pieces.txt");
    const code = `import os, time\nfor piece in ["cp: cannot create '${path}", "': Read-only file", " system\\n"]:\n    os.write(2, piece.encode())\n    time.sleep(0.2)`;
    const { text } = await read(run("python", code));
    expect(text).toContain(`does not let code write ${path}.`);
  });

  test("also when the session went there in an earlier block", async () => {
    const blocks = [run("shell", `cd '${outside}'`), run("shell", "echo z > here.txt"), "So it is."];
    await using model = await scriptedModel(blocks);
    using place = new Place();
    const { stdout } = await place.run([...start(model), "go"]);
    expect(stdout.replace(/\s+/g, " ")).toContain(`does not let code write ${join(outside, "here.txt")}.`);
  });

  test("what a log tells of a network is no network of the block", async () => {
    const { text } = await read(run("shell", "cat old.log"), [], ({ folder }) =>
      writeFileSync(join(folder, "old.log"), "connect: Network is unreachable\n"),
    );
    expect(text).toContain("Network is unreachable");
    expect(text).not.toContain("proxy");
  });

  test("a hook of the folder is told by its relative name", async () => {
    const { text } = await read(run("shell", "echo x > .git/hooks/pre-commit"), [], ({ folder }) => {
      mkdirSync(join(folder, ".git/hooks"), { recursive: true });
      writeFileSync(join(folder, ".git/hooks/pre-commit"), "#!/bin/sh\n");
      writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
    });
    expect(text).toMatch(/does not let code write \S+\/\.git\/hooks\/pre-commit\. To allow it/);
  });

  test("a file that a rule hides is told by its relative name, with the rule", async () => {
    const { text, heard } = await read(run("python", 'open("people/customers.csv").read()'), [], (place) => {
      mkdirSync(join(place.folder, "people"));
      writeFileSync(join(place.folder, "people/customers.csv"), "a\n");
      ruled(`- deny: { read: ${JSON.stringify(join(place.folder, "people"))} }\n  because: personal data`)(place);
    });
    expect(text).toMatch(/does not let code read \S+\/customers\.csv: personal data \(/);
    expect(text).not.toContain("--allow_read");
    expect(heard).toContain("personal data");
  });

  test("where a rule forbids to write, nobody is asked and the rule is said", async () => {
    await using model = await scriptedModel([run("shell", `echo x > '${join(outside, "y")}'`), "So it is."]);
    using place = new Place();
    mkdirSync(join(place.folder, ".home"), { recursive: true });
    ruled(`- deny: { write: ${JSON.stringify(outside)} }\n  because: that is the archive`)(place);
    await using screen = new Terminal(place, start(model), { columns: 160 });
    await screen.prompt();
    screen.enter("go");
    await screen.see("So it is.");
    const text = screen.text().replace(/\s+/g, " ");
    expect(text).toContain("that is the archive");
    expect(text).toContain("A rule that forbids wins over one that allows");
    expect(text).not.toContain("o c a n ?:");
    expect(existsSync(join(outside, "y"))).toBe(false);
  });

  test.each([
    ["a language", '- deny: { language: shell }\n  because: "we use Python here"', "we use Python here"],
    ["a command", '- deny: { command: "echo *" }', "deny command echo *"],
  ])("a block that is forbidden by a rule about %s is said with that rule", async (_name, rule, because) => {
    const { text } = await read(run("shell", "echo hello there"), [], ruled(rule));
    expect(text).toContain("Not run.");
    expect(text).toContain("A rule of yours forbids this block:");
    expect(text).toContain(because);
    expect(text).toContain("rules.yaml");
  });

  const fetching = (url: string) => `import urllib.request, urllib.error
try:
    urllib.request.urlopen("${url}")
except urllib.error.URLError as error:
    print("failed:", error)`;

  test("a host that a rule forbids is said with the rule, and not how to allow it", async () => {
    const rule = "- deny: { host: docs.example.org }\n  because: not from here";
    const { text } = await read(run("python", fetching("http://docs.example.org/x")), [], ruled(rule));
    expect(text).toContain("does not let code reach docs.example.org: not from here (");
    expect(text).toContain("A rule that forbids wins over one that allows");
    expect(text).not.toContain("--allow_host");
  });

  test("a host that cannot be found was not contacted, and that is said", async () => {
    const args = ["--allow_host", "nowhere.invalid"];
    const { text } = await read(run("python", fetching("http://nowhere.invalid/x")), args);
    expect(text).toContain("nowhere.invalid could not be found");
    expect(text).not.toContain("contacted");
  });

  test("a program that knows no proxy has contacted nobody, and what helps is said", async () => {
    const code = 'import socket\nsocket.create_connection(("10.1.2.3", 5432), 2)';
    const { text, heard } = await read(run("python", code));
    expect(text).toContain("This program does not use the proxy");
    expect(text).toContain("/allow host localhost:5432");
    expect(text).not.toContain("contacted");
    expect(heard).toContain("does not use the proxy");
  });

  test("a port of this machine that somebody listens at is said, and one where nobody does is not", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const code = `import socket\nsocket.create_connection(("localhost", ${port}))`;
    const { text } = await read(run("python", code));
    expect(text).toContain(`Port ${port} of this machine is not reached from inside the sandbox.`);
    expect(text).toContain(`/allow host localhost:${port}`);
    await new Promise((resolve) => server.close(resolve));
    expect((await read(run("python", code))).text).not.toContain("is not reached from inside");
  });

  test("strict says that there is no network, and that allowing a host has no effect", async () => {
    const { text } = await read(run("python", fetching("http://docs.example.org/x")), ["--sandbox", "strict"]);
    expect(text).toContain("At --sandbox strict there is no network.");
    await using model = await scriptedModel([run("shell", "true"), "Done."]);
    using place = new Place();
    await using screen = new Terminal(place, [...start(model), "--sandbox", "strict"], { columns: 160 });
    await screen.prompt();
    screen.enter("/allow host docs.example.org");
    await screen.see("there is no network, so this has no effect here");
  });

  test("what was taken back is not offered to be taken back, and what lies outside is marked", async () => {
    const code = `echo a > inside.txt; echo b > '${join(outside, "kept.txt")}'`;
    await using model = await scriptedModel([run("shell", code), "Written."]);
    using place = new Place();
    await using screen = new Terminal(place, [...start(model), "--allow_write", outside], { columns: 200 });
    await screen.prompt();
    screen.enter("go");
    await screen.see("Written.");
    await screen.prompt();
    screen.enter("/effects");
    await screen.see("/undo 1 takes it back, /diff 1");
    expect(screen.text()).toMatch(
      /> \/effects\n[\s\S]*! Outside of the folder, and cannot be taken back: \S+kept\.txt/,
    );
    screen.enter("/undo 1");
    await screen.see("Deleted: inside.txt");
    await screen.prompt();
    screen.enter("/effects 1");
    await screen.see("It was taken back. /redo 1 puts it back, /diff 1");
    expect(readFileSync(join(outside, "kept.txt"), "utf8")).toBe("b\n");
  });
});
