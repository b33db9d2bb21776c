// Disks that are full, can only be read, or are not what they should be: real ones, in a namespace of their own.

import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConversation } from "../../src/conversations/index.ts";
import { bin, type Finished, finish, Place } from "../support/program.ts";
import { reply, run, say, scriptedModel } from "../support/scripted-model.ts";

const namespace = ["--map-root-user", "--mount", "sh", "-ec"];

const whyNot = (() => {
  if (process.platform !== "linux") return "only Linux has mount namespaces";
  const { status } = spawnSync("unshare", [...namespace, "mount -t tmpfs none /mnt"]);
  return status === 0 ? "" : "a mount namespace is refused";
})();

/** A shell that has a small disk of its own as the program's home; `interpreter` is the program. */
function withDisk(place: Place, size: string, commands: string): Promise<Finished> {
  const home = place.env.INTERPRETER_HOME!;
  mkdirSync(home, { recursive: true });
  const setUp = `mount -t tmpfs -o size=${size} none "$INTERPRETER_HOME"
interpreter() { "${process.execPath}" "${bin}" "$@"; }
`;
  const env = { ...place.env, OUT: join(place.folder, "out") };
  const stdio: StdioOptions = ["ignore", "pipe", "pipe"];
  return finish(spawn("unshare", [...namespace, setUp + commands], { cwd: place.folder, env, stdio }));
}

const use = (url: string) => `-y --plain --model openai-chat/scripted --api_base ${url}`;
const notKept = "This conversation is not being kept";

function kept(place: Place) {
  const [name] = readdirSync(join(place.folder, "out"));
  return loadConversation(join(place.folder, "out", name!))!;
}

const fill = 'head -c 10000000 /dev/zero > "$INTERPRETER_HOME/ballast" 2>/dev/null || true';

test.skipIf(whyNot)("a disk that is full from the start: the conversation goes on, with one warning", async () => {
  await using model = await scriptedModel([run("shell", "echo from a block"), "All the same."]);
  using place = new Place();
  const { stdout, stderr, code } = await withDisk(place, "64k", `${fill}\ninterpreter ${use(model.openai)} hello`);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("from a block");
  expect(stdout).toContain("All the same.");
  expect(stdout.split(notKept)).toHaveLength(2);
  expect(stdout).toContain("there is no room left on the disk");
});

test.skipIf(whyNot)("when there is room again, everything that was held is written, in order", async () => {
  const long = "word ".repeat(2_000);
  await using model = await scriptedModel([
    reply(say(long), run("shell", "echo still full")),
    run("shell", 'rm "$INTERPRETER_HOME/ballast"'),
    "The end.",
  ]);
  using place = new Place();
  // In a sandbox code could not make room there.
  const started = `interpreter --sandbox off ${use(model.openai)} hello`;
  // Room for the beginning only: the disk is full in the middle of a line.
  const commands = `head -c 53000 /dev/zero > "$INTERPRETER_HOME/ballast"
${started}
cp -r "$INTERPRETER_HOME/conversations" "$OUT"`;
  const { stdout, stderr } = await withDisk(place, "64k", commands);
  expect(stderr).toBe("");
  expect(stdout.split(notKept)).toHaveLength(2);
  expect(stdout).toContain("The conversation is kept again");
  const { messages, problems } = kept(place);
  expect(problems).toEqual([]);
  expect(messages.map(({ content }) => content)).toEqual([
    "hello",
    long,
    "echo still full",
    "still full\n",
    'rm "$INTERPRETER_HOME/ballast"',
    "",
    "The end.",
  ]);
});

test.skipIf(whyNot)("a full disk leaves a conversation that was there as it was, and it still loads", async () => {
  await using model = await scriptedModel(["One.", "Two."]);
  using place = new Place();
  const go = `interpreter ${use(model.openai)}`;
  const commands = `${go} first >&2
cp -r "$INTERPRETER_HOME/conversations" "$OUT"
${fill}
${go} --continue second
cp "$INTERPRETER_HOME"/conversations/*/log.jsonl after`;
  const { stdout } = await withDisk(place, "64k", commands);
  expect(stdout).toContain("Two.");
  expect(stdout).toContain(notKept);
  const [name] = readdirSync(join(place.folder, "out"));
  const before = readFileSync(join(place.folder, "out", name!, "log.jsonl"), "utf8");
  expect(readFileSync(join(place.folder, "after"), "utf8").startsWith(before)).toBe(true);
  writeFileSync(join(place.folder, "out", name!, "log.jsonl"), readFileSync(join(place.folder, "after")));
  expect(
    kept(place)
      .messages.map(({ content }) => content)
      .slice(0, 2),
  ).toEqual(["first", "One."]);
});

test.skipIf(whyNot)("a home that can only be read: a warning, and nothing in it changes", async () => {
  await using model = await scriptedModel(["One.", "Two.", "Three."]);
  using place = new Place();
  const go = `interpreter ${use(model.openai)}`;
  const commands = `${go} first >&2
cp -r "$INTERPRETER_HOME/conversations" "$OUT"
mount -o remount,ro "$INTERPRETER_HOME"
${go} --continue second
${go} third
cmp "$INTERPRETER_HOME"/conversations/*/log.jsonl "$OUT"/*/log.jsonl
seq 10000 | ${go} piped`;
  const { stdout, code } = await withDisk(place, "1m", commands);
  expect(code).toBe(0);
  expect(stdout).toMatch(/not being kept: .* is on a disk that can only be read\.[\s\S]*Two\./);
  expect(stdout).toContain("Three.");
  expect(model.requests.at(-1)!.text).toContain("characters were piped in");
});

test("a home that is a file: a warning, and the file stays what it is", async () => {
  await using model = await scriptedModel(["All the same."]);
  using place = new Place();
  writeFileSync(place.env.INTERPRETER_HOME!, "not a folder");
  const { stdout, code } = await place.run([...use(model.openai).split(" "), "hello"]);
  expect(code).toBe(0);
  expect(stdout).toContain("All the same.");
  expect(stdout).toMatch(/not being kept: .* should be in a folder, and a file is in its place/);
  expect(readFileSync(place.env.INTERPRETER_HOME!, "utf8")).toBe("not a folder");
});

test("a home without permission to write: a warning", async () => {
  await using model = await scriptedModel([run("shell", "head -c 9000 /dev/zero | tr '\\0' x"), "All the same."]);
  using place = new Place({ INTERPRETER_PYTHON: undefined });
  mkdirSync(place.env.INTERPRETER_HOME!);
  chmodSync(place.env.INTERPRETER_HOME!, 0o555);
  chmodSync(place.folder, 0o755);
  // Nothing is forbidden to root: somebody else runs it then.
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const args = [bin, ...use(model.openai).split(" "), "hello"];
  const stdio: StdioOptions = ["ignore", "pipe", "pipe"];
  const child = spawn(process.execPath, args, { cwd: place.folder, env: place.env, stdio, ...other });
  const { stdout, stderr, code } = await finish(child);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("All the same.");
  expect(stdout).toMatch(/not being kept: there is no permission to write to .*conversations/);
  chmodSync(place.env.INTERPRETER_HOME!, 0o755);
});
