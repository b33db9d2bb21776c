// The commands of the chat, typed in a real terminal.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { reply, run, type ScriptedModel, say, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["--model", "openai-chat/scripted", "--api_base", url];
const nobody = ["--model", "x", "--api_base", "http://127.0.0.1:9/v1"];

async function chat(place: Place, args: readonly string[], columns = 100): Promise<Terminal> {
  const screen = new Terminal(place, args, { columns });
  await screen.prompt();
  return screen;
}

const said = (model: ScriptedModel, request: number): unknown[] =>
  (model.requests[request]!.body.messages as { role: string; content: unknown }[])
    .filter(({ role }) => role === "user" || role === "assistant")
    .map(({ content }) => content);

async function turn(screen: Terminal, words: string, answer: string): Promise<void> {
  screen.enter(words);
  await screen.see(new RegExp(`${answer.replace(/[.?]/g, "\\$&")}\\n[\\s\\S]*\\n>$`));
}

describe("taking back", () => {
  test("/undo takes back the last turn with its files and says what stays; the log keeps it, resuming does not bring it back", async () => {
    await using model = await scriptedModel([
      "One.",
      reply(say("Two."), run("shell", "touch made")),
      "Three.",
      "Four.",
    ]);
    using place = new Place();
    const screen = await chat(place, ["-y", ...use(model.openai)]);
    await turn(screen, "first", "One.");
    await turn(screen, "second", "Three.");
    screen.enter("/undo");
    await screen.see(
      /Taken back: second\nDeleted: made\nVariables, and whatever it did elsewhere, stay as it left them\.\n\n>$/,
    );
    expect(existsSync(join(place.folder, "made"))).toBe(false);
    screen.enter("%quit");
    await screen.ended();
    await using again = await chat(place, ["-c", ...use(model.openai)]);
    expect(again.text()).not.toContain("second");
    await turn(again, "third", "Four.");
    expect(said(model, 3)).toEqual(["first", "One.", expect.stringMatching(/resumed[\s\S]*third$/)]);
    const [folder] = readdirSync(join(place.folder, ".home/conversations"));
    expect(readFileSync(join(place.folder, ".home/conversations", folder!, "log.jsonl"), "utf8")).toContain("second");
  });

  test("/undo goes back turn by turn, and says when there is none; what was said while it worked belongs to the turn", async () => {
    await using model = await scriptedModel([
      "One.",
      run("python", "import os, time\nprint('working', flush=True)\nwhile not os.path.exists('go'): time.sleep(0.02)"),
      "Done.",
    ]);
    using place = new Place();
    await using screen = await chat(place, ["-y", ...use(model.openai)]);
    await turn(screen, "first", "One.");
    screen.enter("second");
    await screen.see("│ working");
    screen.enter("in blue");
    await screen.see("(noted, for the next step: in blue)");
    writeFileSync(join(place.folder, "go"), "");
    await screen.see(/Done\.\n[\s\S]*\n>$/);
    screen.enter("/undo");
    await screen.see(/Taken back: second\n[\s\S]*\n>$/);
    screen.enter("/undo");
    await screen.see(/Taken back: first\n\n>$/);
    screen.enter("/undo");
    await screen.see("There is no turn to take back.");
  });

  test("/retry says the same again, and /edit puts it on the line", async () => {
    await using model = await scriptedModel(["Bad.", "Better.", "Best."]);
    using place = new Place();
    await using screen = await chat(place, use(model.openai));
    await turn(screen, "write a poem", "Bad.");
    screen.enter("/retry");
    await screen.see(/\n> write a poem\n+Better\.\n[\s\S]*\n>$/);
    expect(said(model, 1)).toEqual(["write a poem"]);
    screen.enter("/edit");
    await screen.see(/\n> write a poem$/);
    screen.type("\x7f\x7f\x7f\x7fsong\r");
    await screen.see(/Best\./);
    expect(said(model, 2)).toEqual(["write a song"]);
  });

  test("with --plain /edit opens the person's editor", async () => {
    await using model = await scriptedModel(["Bad.", "Better."]);
    using place = new Place();
    const editor = join(place.folder, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\nsed -i.bak s/poem/song/ "$1"\n');
    chmodSync(editor, 0o755);
    place.env.EDITOR = editor;
    await using screen = await chat(place, ["--plain", ...use(model.openai)]);
    await turn(screen, "write a poem", "Bad.");
    screen.enter("/edit");
    await screen.see("Better.");
    expect(said(model, 1)).toEqual(["write a song"]);
  });
});

describe("the model and the settings", () => {
  test("/model offers those that could be used, and takes a name", async () => {
    await using model = await scriptedModel([]);
    using place = new Place({ OLLAMA_HOST: "127.0.0.1:1", ANTHROPIC_API_KEY: "key" });
    await using screen = await chat(place, use(model.openai));
    screen.enter("/model");
    await screen.see("Model (now openai-chat/scripted)");
    await screen.see(/❯ +1 anthropic\/claude/);
    screen.type("\x1b[B\r");
    await screen.see(/Model: anthropic\/\S+\n\n>$/);
    screen.enter("/model");
    await screen.see(/in use/);
    screen.type("\x1b");
    await screen.see(/Model: anthropic\/\S+\n\n>$/);
    screen.enter("%model ollama/other");
    await screen.see(/Model: ollama\/other\n/);
  });

  test("/profile lists the profiles, and uses one from the next message on; flags still win", async () => {
    await using model = await scriptedModel(["Arr.", "Hm."]);
    using place = new Place();
    mkdirSync(join(place.folder, ".home/profiles"), { recursive: true });
    writeFileSync(
      join(place.folder, ".home/profiles/pirate.yaml"),
      "custom_instructions: Talk like a pirate.\nmodel: no/such\n",
    );
    await using screen = await chat(place, use(model.openai));
    screen.enter("/profile");
    await screen.see(/fast +a quick and cheap model/);
    await screen.see(/pirate[\s\S]*In use: none\./);
    screen.enter("/profile pirate");
    await screen.see(/Profile: pirate\.[\s\S]*Model: openai-chat\/scripted/);
    await turn(screen, "hello", "Arr.");
    expect(JSON.stringify(model.requests[0]!.body)).toContain("Talk like a pirate.");
    screen.enter("/profile nothing");
    await screen.see(/There is no profile "nothing"/);
    await turn(screen, "hello again", "Hm.");
    expect(JSON.stringify(model.requests[1]!.body)).toContain("Talk like a pirate.");
  });

  test("/theme changes the colours, and is kept; a light terminal has others by itself", async () => {
    using place = new Place();
    await using screen = await chat(place, nobody);
    expect(screen.raw).toContain("\x1b[2m");
    screen.enter("/theme light");
    await screen.see(/Theme: light faint red/);
    expect(screen.raw).toContain("\x1b[38;5;243mfaint\x1b[39m");
    expect(readFileSync(join(place.folder, ".home/settings.yaml"), "utf8")).toContain("theme: light\n");
    screen.enter("/theme none");
    await screen.see(/Theme: none faint red/);
    expect(screen.raw.slice(screen.raw.lastIndexOf("Theme: "))).toMatch(/^Theme: none faint red green yellow cyan/);
    screen.enter("/theme purple");
    await screen.see('There is no theme "purple"');
    screen.enter("/quit");
    await screen.ended();
    using other = new Place({ COLORFGBG: "0;15" });
    await using light = await chat(other, nobody);
    expect(light.raw).toContain("\x1b[38;5;243m");
    expect(light.raw).not.toContain("\x1b[2m");
  });

  test("/info says what holds and no secret; /verbose tells about requests and blocks", async () => {
    await using model = await scriptedModel([run("shell", "(exit 3)"), "Done."]);
    using place = new Place();
    await using screen = await chat(place, [
      "-y",
      "--api_key",
      "very-secret",
      "--max_steps",
      "7",
      ...use(model.openai),
    ]);
    screen.enter("/info");
    await screen.see(/version +Open Interpreter [\s\S]*model +openai-chat\/scripted[\s\S]*max_steps +7/);
    await screen.see(/api_key +\(set\)/);
    expect(screen.text()).not.toContain("very-secret");
    screen.enter("%verbose");
    await screen.see("is told.");
    await turn(screen, "go", "Done.");
    expect(screen.text()).toMatch(/request 1 to openai-chat\/scripted: 1 message, \d+ characters, tool dialect/);
    expect(screen.text()).toMatch(/step: error, exit code 3, \d+ ms/);
    expect(screen.text()).toMatch(/request \d: ended after \d+ ms \(stop\)/);
    expect(screen.raw).not.toContain("very-secret");
    screen.enter("%verbose off");
    await screen.see("No more is told than usual.");
    screen.enter("%verbose perhaps");
    await screen.see('either on or off, not "perhaps"');
  });
});

describe("files and the clipboard", () => {
  async function conversation(place: Place, model: ScriptedModel): Promise<Terminal> {
    const screen = await chat(place, ["-y", ...use(model.openai)]);
    await turn(screen, "count the rows", "There are 3.");
    return screen;
  }
  const script = [
    reply(say("I will look."), run("python", "print(1 + 2)")),
    "There are 3.\n\n```sh\nwc -l rows.csv\n```",
  ];

  test("/export writes markdown, a notebook, a page and a script, and overwrites nothing", async () => {
    await using model = await scriptedModel(script);
    using place = new Place();
    await using screen = await conversation(place, model);
    const read = (name: string): string => readFileSync(join(place.folder, name), "utf8");
    screen.enter("/export");
    await screen.see("count-the-rows.md");
    expect(read("count-the-rows.md")).toMatch(
      /^# count the rows\n\n> count the rows\n\nI will look\.\n\n```python\nprint\(1 \+ 2\)\n```\n/,
    );
    screen.enter("/export ipynb rows.ipynb");
    await screen.see(/Written: .*rows\.ipynb/);
    const { cells, nbformat } = JSON.parse(read("rows.ipynb"));
    expect(nbformat).toBe(4);
    const code = cells.find((cell: { cell_type: string }) => cell.cell_type === "code");
    expect([code.source.join(""), code.outputs[0].text.join("")]).toEqual(["print(1 + 2)", "3\n"]);
    screen.enter("/export html");
    await screen.see("count-the-rows.html");
    expect(read("count-the-rows.html")).toMatch(/<h1>count the rows<\/h1>[\s\S]*>print</);
    screen.enter("/export script");
    await screen.see("count-the-rows.py");
    expect(read("count-the-rows.py")).toContain("\nprint(1 + 2)\n");
    screen.enter("/export md rows.ipynb");
    await screen.see("is there already");
    screen.enter("/export pdf");
    await screen.see('There is no kind "pdf"');
  });

  test("/save_message and /load_message keep and bring back the messages", async () => {
    await using model = await scriptedModel([...script, "Three, as I said."]);
    using place = new Place();
    await using screen = await conversation(place, model);
    screen.enter("%save_message kept");
    await screen.see("kept.json");
    const kept = JSON.parse(readFileSync(join(place.folder, "kept.json"), "utf8"));
    expect(kept[0]).toEqual({ role: "user", type: "message", content: "count the rows" });
    screen.enter("%reset");
    await screen.see("cleared");
    screen.enter("%load_message kept");
    await screen.see(`A new conversation with ${kept.length} messages`);
    await turn(screen, "how many?", "Three, as I said.");
    expect(said(model, 2)[0]).toBe("count the rows");
    writeFileSync(join(place.folder, "broken.json"), '[{"role": "user"}]');
    screen.enter("%load_message broken");
    await screen.see(/broken\.json cannot be loaded: Message 1 is not valid/);
  });

  test("/copy takes the last answer or a block, with the clipboard's program or through the terminal", async () => {
    await using model = await scriptedModel(script);
    using place = new Place();
    await using screen = await conversation(place, model);
    screen.enter("/copy");
    await screen.see("The terminal was asked to copy");
    const asked = [...screen.raw.matchAll(/\x1b\]52;c;([\w+/=]*)\x07/g)].map((match) =>
      Buffer.from(match[1]!, "base64"),
    );
    expect(String(asked.at(-1))).toBe("There are 3.\n\n```sh\nwc -l rows.csv\n```");
    screen.enter("/quit");
    await screen.ended();
    const program = join(place.folder, "xclip");
    writeFileSync(program, `#!/bin/sh\necho "$@" > ${place.folder}/how\ncat > ${place.folder}/copied\n`);
    chmodSync(program, 0o755);
    Object.assign(place.env, { DISPLAY: ":9", PATH: `${place.folder}:${place.env.PATH}` });
    await using again = await chat(place, ["-c", ...use(model.openai)]);
    const copied = (): string => readFileSync(join(place.folder, "copied"), "utf8");
    again.enter("/copy 1");
    await again.see("Copied 14 characters.");
    expect(copied()).toBe("wc -l rows.csv");
    again.enter("/copy 2");
    await again.see("Copied 12 characters.");
    expect(copied()).toBe("print(1 + 2)");
    expect(readFileSync(join(place.folder, "how"), "utf8")).toBe("-selection clipboard\n");
    again.enter("/copy 9");
    await again.see("There are only 2 blocks.");
  });

  test("%% runs in the shell without telling the model", async () => {
    await using model = await scriptedModel(["Hello."]);
    using place = new Place();
    await using screen = await chat(place, use(model.openai));
    screen.enter("%%echo a-private-thing; x=1");
    await screen.see("│ a-private-thing");
    screen.enter("!echo x is $x");
    await screen.see("│ x is 1");
    await turn(screen, "hello", "Hello.");
    const request = JSON.stringify(model.requests[0]!.body);
    expect(request).not.toContain("a-private-thing");
    expect(request).toContain("x is 1");
  });
});

describe("other conversations", () => {
  test("/resume, /search, /rename and /fork find, name, go on with and copy them", async () => {
    await using model = await scriptedModel(["About cats.", "About dogs.", "More dogs.", "Cats again.", "Other dogs."]);
    using place = new Place();
    await using screen = await chat(place, use(model.openai), 140);
    await turn(screen, "tell me of cats", "About cats.");
    screen.enter("/reset");
    await screen.see("cleared");
    await turn(screen, "tell me of dogs", "About dogs.");
    await turn(screen, "and more", "More dogs.");
    screen.enter("/rename The dog talk");
    await screen.see("It is called: The dog talk");
    screen.enter("/resume");
    await screen.see(/Go on with\n❯ 1 The dog talk .*2 turns.*\n {2}2 tell me of cats .*1 turn/);
    screen.type("2\r");
    await screen.see(/Going on after 2 messages[\s\S]*\n>$/);
    await turn(screen, "again", "Cats again.");
    expect(said(model, 3)).toEqual(["tell me of cats", "About cats.", expect.stringMatching(/resumed[\s\S]*again$/)]);
    screen.enter("/search DOGS");
    await screen.see(/Go on with\n❯ 1 The dog talk/);
    screen.type("\r");
    await screen.see(/Going on after 4 messages[\s\S]*\n>$/);
    screen.enter("/fork 1");
    await screen.see(/Going on after 2 messages[\s\S]*\n>$/);
    await turn(screen, "another way", "Other dogs.");
    expect(said(model, 4)).toEqual([
      "tell me of dogs",
      "About dogs.",
      expect.stringMatching(/resumed[\s\S]*another way$/),
    ]);
    screen.enter("/resume");
    await screen.see(/❯ 1 The dog talk \(copy\)[\s\S]*The dog talk .*2 turns/);
    screen.type("\x1b");
    await screen.see(/\n>$/);
    screen.enter("/search unheard-of");
    await screen.see("No conversation has unheard-of in it.");
    screen.enter("/fork 7");
    await screen.see("a number from 1 to 2");
  });

  test("--conversations chooses one to go on with", async () => {
    await using model = await scriptedModel(["About cats.", "Cats again."]);
    using place = new Place();
    await place.run([...use(model.openai), "tell me of cats"]);
    await using screen = new Terminal(place, ["--conversations", ...use(model.openai)], { columns: 120 });
    await screen.see(/❯ 1 tell me of cats/);
    screen.enter();
    await screen.see(/Going on after 2 messages[\s\S]*\n>$/);
    await turn(screen, "again", "Cats again.");
  });
});

test("a command that does not exist is told with the nearest, and a path is something to say", async () => {
  await using model = await scriptedModel(["It maps names."]);
  using place = new Place();
  await using screen = await chat(place, use(model.openai));
  screen.enter("/modle x");
  await screen.see("There is no command /modle. Did you mean /model?");
  screen.enter("/help undo");
  await screen.see(/\/undo \[list\|STEP\]\n {2}Take back the last turn/);
  await turn(screen, "/etc/hosts is what?", "It maps names.");
  expect(said(model, 0)).toEqual(["/etc/hosts is what?"]);
  screen.type("/export ip\t");
  await screen.see(/> \/export ipynb$/);
});
