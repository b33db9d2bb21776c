// `interpreter outbox`: what left the machine, as the command shows it.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { reply, run, scriptedModel } from "../support/scripted-model.ts";

const value = "kN4-wonderland-4711";

async function held(place: Place) {
  const model = await scriptedModel([run("python", "print(open('.env').read())"), "Done."]);
  writeFileSync(join(place.folder, ".env"), `SHOP_TOKEN=${value}\n`);
  const { code } = await place.run(["--model", "x", "--api_base", model.openai, "-y", "what is in .env?"]);
  expect(code).toBe(0);
  await model.close();
  return model.requests.filter(({ wire }) => wire !== undefined);
}

test("lists the requests of the last conversation, and shows one of them byte for byte", async () => {
  using place = new Place();
  const requests = await held(place);
  const list = await place.run(["outbox"]);
  const rows = list.stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  expect(rows.map(([number, , model]) => [number, model])).toEqual([
    ["1", "x"],
    ["2", "x"],
  ]);
  expect(rows[1]!.slice(3)).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/),
    String(Buffer.byteLength(requests[1]!.text)),
    expect.stringMatching(/^[1-9]\d+$/),
    expect.stringMatching(/^\d+$/),
    "200",
    "1",
  ]);
  const [name] = readdirSync(join(place.folder, ".home/conversations"));
  for (const [index, { text }] of requests.entries()) {
    const { stdout } = await place.run(["outbox", name!, String(index + 1), "--json"]);
    expect(stdout).toBe(text);
  }
  const page = (await place.run(["outbox", "2"])).stdout;
  expect(page).toContain("masked   1 secret or hidden value\n");
  expect(page).toContain("(this machine)\n");
  expect(page).toContain('"content": "SHOP_TOKEN=‹secret SHOP_TOKEN›\\n\\n"');
  expect(page).not.toContain(value);
  const json = (await place.run(["outbox", "--json"])).stdout.trimEnd().split("\n");
  expect(json.map((line) => JSON.parse(line))).toMatchObject([
    { number: 1, masked: 0 },
    { number: 2, masked: 1 },
  ]);
});

test("finds requests by what was sent, in all conversations", async () => {
  using place = new Place();
  await held(place);
  const found = await place.run(["outbox", "search", "shop_token", "execute"]);
  expect(found.stdout).toMatch(/^\S+\t2\t.*‹secret SHOP_TOKEN›/);
  expect(found.stdout.trimEnd().split("\n")).toHaveLength(1);
  expect((await place.run(["outbox", "search", value])).code).toBe(1);
});

test("says what there is not", async () => {
  using place = new Place();
  expect((await place.run(["outbox"])).stderr).toBe(
    "No conversation was kept yet.\nOf those that are not kept, nothing is recorded.\n",
  );
  await held(place);
  expect((await place.run(["outbox", "7"])).stderr).toBe("There is no request 7.\nThere are 1 to 2.\n");
  expect((await place.run(["outbox", "nothing"])).stderr).toContain('There is no conversation "nothing".');
  expect(await place.run(["outbox", "other"])).toMatchObject({ code: 1, stdout: "" });
});

test("a sentence that begins with the word is said to the model", async () => {
  await using model = await scriptedModel(() => reply("Yes."));
  using place = new Place();
  await place.run(["--model", "x", "--api_base", model.openai, "outbox", "of", "my", "mails"]);
  expect(model.requests.find(({ wire }) => wire)?.text).toContain("outbox of my mails");
});

test("the list of models that is fetched is on record apart from conversations", async () => {
  using place = new Place({ INTERPRETER_CATALOGUE_URL: "http://127.0.0.1:9/api.json?token=abc" });
  await place.run(["models", "--refresh"]);
  expect((await place.run(["outbox", "other"])).stdout).toMatch(
    /^\S+Z\tthe catalogue of models was asked for\thttp:\/\/127\.0\.0\.1:9\/api\.json\?token=%E2%80%A6\n$/,
  );
});

test("a file that is never sent is refused in plain words", async () => {
  await using model = await scriptedModel(() => reply("ok"));
  using place = new Place();
  const { stderr } = await place.run([
    ...["--model", "x", "--api_base", model.openai, "--never_send", "clients.csv", "look at @clients.csv"],
  ]);
  expect(stderr).toContain('clients.csv is not sent: never_send has "clients.csv".');
  expect(model.requests).toHaveLength(0);
  const log = join(place.folder, ".home/conversations");
  expect(() => readFileSync(log)).toThrow();
});
