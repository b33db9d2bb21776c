// What the walls kept from a block is asked about in the terminal, and holds for as long as was said. Real walls, real files.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { lastingFolder } from "../support/lasting-folder.ts";
import { Place } from "../support/program.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { run, type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const why = whyNoLayer();
/** No temporary folder: those may be written. */
let outside: string;
beforeAll(() => {
  outside = lastingFolder("paths-");
});
afterAll(() => rmSync(outside, { recursive: true, force: true }));
beforeEach(() => {
  for (const name of ["made", "again", "third"]) rmSync(join(outside, name), { force: true });
});

const writing = (name: string) => run("shell", `echo done > '${join(outside, name)}'`);
const start = (model: ScriptedModel) => ["-y", "--model", "openai-chat/scripted", "--api_base", model.openai];
/** What the model was told last. */
const heard = (model: ScriptedModel): string => JSON.stringify(model.requests.at(-1)?.body);

describe.skipIf(why)(`with walls${why && ` (${why})`}`, () => {
  test("o allows it for the next step: the block runs again, and the one after that is refused", async () => {
    await using model = await scriptedModel([writing("made"), writing("made"), writing("again"), "That is all."]);
    using place = new Place();
    await using screen = new Terminal(place, start(model), { columns: 160 });
    await screen.prompt();
    screen.enter("go");
    await screen.see("The sandbox did not let code write");
    await screen.see("o c a n ?:");
    expect(existsSync(join(outside, "made"))).toBe(false);
    screen.enter("o");
    await screen.see("For the next step, code may write");
    await screen.see(/o c a n \?:[\s\S]*o c a n \?:/);
    expect(readFileSync(join(outside, "made"), "utf8")).toBe("done\n");
    expect(heard(model)).toContain("The user allows it now. For the next step, code may write");
    screen.enter("n");
    await screen.see("It stays so.");
    await screen.see("That is all.");
    expect(existsSync(join(outside, "again"))).toBe(false);
    expect(heard(model)).toMatch(/The user does not let code write [^"]*again/);
    expect(screen.text()).not.toContain("To allow it: --allow_write");
  });

  test("c allows it until the conversation is left", async () => {
    const blocks = [writing("made"), writing("made"), writing("again"), "Both are there."];
    await using model = await scriptedModel([...blocks, writing("third"), "Not any more."]);
    using place = new Place();
    await using screen = new Terminal(place, start(model), { columns: 160 });
    await screen.prompt();
    screen.enter("go");
    await screen.see("o c a n ?:");
    screen.enter("c");
    await screen.see("Both are there.");
    expect(existsSync(join(outside, "again"))).toBe(true);
    await screen.prompt();
    screen.enter("%reset");
    await screen.prompt();
    screen.enter("go");
    await screen.see(/o c a n \?:[\s\S]*o c a n \?:/);
    screen.enter("n");
    await screen.see("Not any more.");
    expect(existsSync(join(outside, "third"))).toBe(false);
  });

  test("a secret is read once, and hidden again; what lies beside it is never seen", async () => {
    const reading = run("shell", "cat ~/.ssh/id_test ~/.ssh/other");
    await using model = await scriptedModel([reading, reading, reading, "So it is."]);
    using place = new Place();
    const keys = join(place.env.HOME!, ".ssh");
    mkdirSync(keys, { recursive: true });
    writeFileSync(join(keys, "id_test"), "the key\n");
    writeFileSync(join(keys, "other"), "another key\n");
    await using screen = new Terminal(place, [...start(model), "--sandbox", "workspace"], { columns: 160 });
    await screen.prompt();
    screen.enter("go");
    await screen.see(/did not let code read \S*id_test\.\sAllow it\?/);
    expect(screen.text()).not.toMatch(/the key/);
    screen.enter("o");
    await screen.see(/did not let code read \S*other\.\sAllow it\?/);
    screen.enter("n");
    // The second block: only the one is seen.
    await screen.see("the key");
    await screen.see(/other\.\sAllow it\?[\s\S]*other\.\sAllow it\?/);
    screen.enter("n");
    await screen.see(/id_test\.\sAllow it\?[\s\S]*id_test\.\sAllow it\?/);
    screen.enter("n");
    await screen.see(/(other\.\sAllow it\?[\s\S]*){3}/);
    screen.enter("n");
    await screen.see("So it is.");
    expect(screen.text().split("the key").length).toBe(2);
    expect(screen.text()).not.toContain("another key");
  });

  test("Ctrl-C at the question is a no, and ends the turn", async () => {
    await using model = await scriptedModel([writing("made"), "Never said."]);
    using place = new Place();
    await using screen = new Terminal(place, start(model), { columns: 160 });
    await screen.prompt();
    screen.enter("go");
    await screen.see("o c a n ?:");
    screen.type("\x03");
    await screen.see("Stopped.");
    await screen.prompt();
    expect(screen.text()).not.toContain("Never said.");
    expect(existsSync(join(outside, "made"))).toBe(false);
  });

  test("a adds a rule, which holds in the next start", async () => {
    await using model = await scriptedModel([writing("made"), writing("made"), "Written."]);
    using place = new Place();
    await using screen = new Terminal(place, start(model), { columns: 160 });
    await screen.prompt();
    screen.enter("go");
    await screen.see("o c a n ?:");
    screen.enter("a");
    await screen.see("Written.");
    const rules = readFileSync(join(place.folder, ".home", "rules.yaml"), "utf8");
    expect(rules).toContain(`- allow: { write: ${JSON.stringify(outside)} }`);
    await using later = await scriptedModel([writing("again"), "Written again."]);
    const { stdout } = await place.run([...start(later), "go"]);
    expect(stdout).toContain("Written again.");
    expect(existsSync(join(outside, "again"))).toBe(true);
  });

  test("where nobody can answer, the ways to allow it are named, and the model hears of it", async () => {
    await using model = await scriptedModel([writing("made"), "Not possible."]);
    using place = new Place();
    const { stdout, code } = await place.run([...start(model), "go"]);
    expect(code).toBe(0);
    const flat = stdout.replace(/\s+/g, " ");
    expect(flat).toContain(`does not let code write ${join(outside, "made")}.`);
    expect(flat).toContain(
      `--allow_write ${outside} for one run, /allow write ${outside} for this conversation, /allow always write ${outside} for good.`,
    );
    expect(heard(model)).toContain(`does not let code write ${join(outside, "made")}; only the user can allow it.`);
    await using again = await scriptedModel([writing("made"), "Written."]);
    await place.run([...start(again), "--allow_write", outside, "go"]);
    expect(existsSync(join(outside, "made"))).toBe(true);
  });
});
