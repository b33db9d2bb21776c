import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConversation } from "../../src/conversations/index.ts";
import { Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const use = (url: string) => ["-y", "--model", "openai-chat/scripted", "--api_base", url];

/** The conversations of a place, the oldest first. */
const names = (place: Place): string[] => readdirSync(join(place.folder, ".home", "conversations")).sort();
const messagesOf = (place: Place, name: string) =>
  loadConversation(join(place.folder, ".home", "conversations", name))!.messages;
const short = (name: string): string => name.split("-")[1]!;

/** One conversation of two turns about coffee, in a folder of its own, and one about tea. */
async function twoConversations(place: Place, url: string): Promise<{ coffee: string; tea: string; folder: string }> {
  const folder = join(place.folder, "coffee");
  mkdirSync(folder);
  const inside = Object.assign(Object.create(place), { folder }) as Place;
  await inside.run([...use(url), "count the COFFEE beans"]);
  await inside.run([...use(url), "--continue", "and now the cups"]);
  const [coffee] = names(place);
  await place.run([...use(url), "make tea"]);
  const tea = names(place).find((name) => name !== coffee)!;
  return { coffee: coffee!, tea, folder: realpathSync(folder) };
}

const replies = ["There are 12 beans.", "Two cups.", "Tea is ready."];

test("conversations are listed newest first, for programs as fields or JSON", async () => {
  await using model = await scriptedModel(replies);
  using place = new Place();
  const { coffee, tea, folder } = await twoConversations(place, model.openai);
  const { stdout, code } = await place.run(["conversations"]);
  expect(code).toBe(0);
  const rows = stdout.trim().split("\n");
  expect(rows.map((row) => row.split("\t")[0])).toEqual([tea, coffee]);
  expect(rows[1]!.split("\t").slice(6)).toEqual([folder, "count the COFFEE beans"]);
  const json = await place.run(["conversations", "list", "--json"]);
  const [, second] = json.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(second).toMatchObject({ id: coffee, cwd: folder, name: "count the COFFEE beans", turns: 2, messages: 5 });
  expect(Number.isNaN(Date.parse(second.changed))).toBe(false);
});

test("words are found in all of them, with the turn and the line", async () => {
  await using model = await scriptedModel(replies);
  using place = new Place();
  const { coffee } = await twoConversations(place, model.openai);
  const { stdout, code } = await place.run(["conversations", "search", "coffee", "CUPS"]);
  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((row) => row.split("\t")),
  ).toEqual([
    [coffee, "1", "you", "count the COFFEE beans"],
    [coffee, "2", "you", "and now the cups"],
    [coffee, "2", "model", "Two cups."],
  ]);
  const json = await place.run(["conversations", "search", "--json", '"two cups"']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    id: coffee,
    lines: [{ turn: 2, line: "Two cups.", marks: [[0, 8]] }],
  });
  expect(await place.run(["conversations", "search", "cocoa"])).toMatchObject({ code: 1, stdout: "" });
});

test("one is gone on with by a part of its name, from anywhere, in its own folder", async () => {
  await using model = await scriptedModel([...replies, run("shell", "pwd"), "That is where."]);
  using place = new Place();
  const { coffee, folder } = await twoConversations(place, model.openai);
  const { stdout, stderr } = await place.run([...use(model.openai), "--resume", short(coffee), "where are you?"]);
  expect(stdout).toContain(folder);
  expect(stderr).toContain(`It goes on in its folder, ${folder}`);
  expect(model.requests[3]!.text).toContain("count the COFFEE beans");
  expect(messagesOf(place, coffee).at(-1)!.content).toBe("That is where.");
  expect(names(place)).toHaveLength(2);
});

test("a conversation whose folder is gone goes on where one is, and says so", async () => {
  await using model = await scriptedModel([...replies, "Still here."]);
  using place = new Place();
  const { coffee, folder } = await twoConversations(place, model.openai);
  rmSync(folder, { recursive: true });
  const { stdout, stderr } = await place.run([...use(model.openai), "conversations", "resume", coffee, "hello"]);
  expect(stdout).toContain("Still here.");
  expect(stderr).toContain(`Its folder ${folder} is not there any more. It goes on in ${realpathSync(place.folder)}`);
});

test("a copy of the first turns is another conversation", async () => {
  await using model = await scriptedModel([...replies, "Thirteen."]);
  using place = new Place();
  const { coffee } = await twoConversations(place, model.openai);
  const { stdout } = await place.run(["conversations", "fork", short(coffee), "1"]);
  const copy = stdout.trim();
  expect(messagesOf(place, copy).slice(0, 2)).toEqual(messagesOf(place, coffee).slice(0, 2));
  expect(messagesOf(place, copy).map(({ content }) => content)).not.toContain("Two cups.");
  await place.run([...use(model.openai), "--resume", copy, "count again"]);
  expect(messagesOf(place, copy).at(-1)!.content).toBe("Thirteen.");
  expect(messagesOf(place, coffee).at(-1)!.content).toBe("Two cups.");
  const wrong = await place.run(["conversations", "fork", short(coffee), "3"]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("a number from 1 to 2") });
});

test("names are given, and deleting asks or needs -y", async () => {
  await using model = await scriptedModel(replies);
  using place = new Place();
  const { coffee, tea } = await twoConversations(place, model.openai);
  await place.run(["conversations", "rename", short(tea), "Earl", "Grey"]);
  expect((await place.run(["conversations"])).stdout).toContain("\tEarl Grey\n");
  const asked = await place.run(["conversations", "delete", short(tea)]);
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("-y deletes without asking") });
  const { stdout } = await place.run(["conversations", "delete", short(tea), "-y"]);
  expect(stdout).toBe(`Deleted: ${tea} (Earl Grey)\n`);
  expect(names(place)).toEqual([coffee]);
  const none = await place.run(["conversations", "delete", "nothing", "-y"]);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no conversation "nothing"') });
  expect(await place.run(["conversations", "rename"])).toMatchObject({ code: 2 });
});

test("one is written to a file", async () => {
  await using model = await scriptedModel(replies);
  using place = new Place();
  const { tea } = await twoConversations(place, model.openai);
  await place.run(["conversations", "export", short(tea), "--output", "tea.md"]);
  expect(existsSync(join(place.folder, "tea.md"))).toBe(true);
});

test("for a person the list is a table as wide as the terminal, and deleting asks", async () => {
  await using model = await scriptedModel(replies);
  using place = new Place();
  const { coffee, tea } = await twoConversations(place, model.openai);
  for (const columns of [100, 50]) {
    await using list = new Terminal(place, ["conversations", "list"], { columns });
    expect(await list.ended()).toBe(0);
    const rows = list
      .text()
      .split("\n")
      .filter((row) => /^\w{6} {2}\d{4}-/.test(row));
    expect(rows.map((row) => row.slice(0, 6))).toEqual([short(tea), short(coffee)]);
    expect(rows.every((row) => row.length < columns)).toBe(true);
    expect(rows[1]).toMatch(/count the/);
  }
  await using found = new Terminal(place, ["conversations", "search", "beans"]);
  expect(await found.ended()).toBe(0);
  expect(found.text()).toMatch(/turn 1 +you +count the COFFEE beans\n +turn 1 +model +There are 12 beans\./);
  expect(found.raw).toMatch(/COFFEE \x1b\[33mbeans\x1b/);
  for (const answer of ["n", "y"]) {
    await using asking = new Terminal(place, ["conversations", "delete", short(tea)]);
    await asking.see("It cannot be brought back. y/n:");
    asking.enter(answer);
    expect(await asking.ended()).toBe(answer === "y" ? 0 : 130);
    expect(names(place)).toEqual(answer === "y" ? [coffee] : [coffee, tea].sort());
  }
});

test("in a terminal `interpreter conversations` offers a choice and goes on with it", async () => {
  await using model = await scriptedModel([...replies, "Welcome back."]);
  using place = new Place();
  const { coffee } = await twoConversations(place, model.openai);
  await using terminal = new Terminal(place, [...use(model.openai), "conversations"]);
  await terminal.see(/Go on with[\s\S]*make tea[\s\S]*count the COFFEE/);
  terminal.type("2\r");
  await terminal.see("Going on after 5 messages");
  await terminal.prompt();
  terminal.enter("hello again");
  await terminal.see("Welcome back.");
  await terminal.prompt();
  terminal.enter("/undo");
  await terminal.see("Taken back: hello again");
  expect(messagesOf(place, coffee).map(({ content }) => content)).not.toContain("hello again");
  terminal.enter("/redo");
  await terminal.see("Put back: hello again");
  expect(messagesOf(place, coffee).at(-1)!.content).toBe("Welcome back.");
  terminal.enter("/quit");
  expect(await terminal.ended()).toBe(0);
  expect(readdirSync(join(place.folder, ".home", "conversations", coffee))).toEqual(["log.jsonl", "outbox.jsonl"]);
});
