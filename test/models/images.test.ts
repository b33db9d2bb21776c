// Pictures on their way to a model: small enough for it, not too many of them, and the same bytes each time.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/messages/index.ts";
import { resolveModel } from "../../src/models/index.ts";
import { pictureFacts } from "../../src/pictures/index.ts";
import { writePng } from "../pictures/write-png.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { run, type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";
import { ask, user } from "./ask.ts";

const png = (width: number, height: number, shade = 0): string =>
  writePng(width, height, { colour: 0, depth: 8 }, (x, y) => (x + y + shade) & 255).toString("base64");
const image = (content: string): Message => ({ role: "user", type: "image", format: "base64.png", content });

/** The pictures in a request, as files, whatever the wire. */
function pictures(body: unknown): Buffer[] {
  const text = JSON.stringify(body);
  return [...text.matchAll(/(?:base64,|"data":")(iVBOR[\w+/=]+)/g)].map((match) => Buffer.from(match[1]!, "base64"));
}

const asked = ({ requests }: ScriptedModel) => requests.filter(({ wire }) => wire !== undefined);

describe.each([
  ["anthropic/claude-sonnet-5", "anthropic", 1568],
  ["openai-responses/gpt-5.4", "responses", 2048],
  ["google/gemini-3-pro", "google", 2048],
  ["openai/scripted", "openai", 2048],
] as const)("%s", (model, wire, edge) => {
  test("gets a large picture smaller, and the same bytes each time", async () => {
    await using server = await scriptedModel(["one", "two"]);
    const choice = { model, apiBase: server[wire], apiKey: "k", env: {}, vision: true };
    const messages = [user("look"), image(png(4000, 1000))];
    await ask(resolveModel(choice), { messages });
    // A process that begins anew sends the same.
    await ask(resolveModel(choice), { messages: structuredClone(messages) });
    const [first, second] = asked(server);
    expect(pictures(first!.body).map((file) => pictureFacts(file))).toEqual([
      { kind: "png", width: edge, height: edge / 4 },
    ]);
    expect(second!.text).toBe(first!.text);
  });

  test("gets a small one as it is", async () => {
    await using server = await scriptedModel(["one"]);
    const file = png(640, 480);
    await ask(resolveModel({ model, apiBase: server[wire], apiKey: "k", env: {}, vision: true }), {
      messages: [image(file)],
    });
    expect(pictures(asked(server)[0]!.body)[0]!.toString("base64")).toBe(file);
  });
});

test("of many pictures the oldest become words, in jumps, so that what was read stays the same", async () => {
  await using server = await scriptedModel(() => "ok");
  const model = resolveModel({ model: "openai/scripted", apiBase: server.openai, env: {}, vision: true });
  const messages: Message[] = [];
  for (let count = 1; count <= 31; count++) {
    messages.push(user(`number ${count}`), image(png(8, 8, count)));
    if (count >= 19) await ask(model, { messages });
  }
  const counts = asked(server).map(({ body }) => pictures(body).length);
  expect(counts).toEqual([19, 20, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 11]);
  const last = JSON.stringify(asked(server).at(-1)!.body);
  expect(last.match(/an image, left out: older than the last 10/g)).toHaveLength(20);
  const texts = asked(server).map(({ body }) => JSON.stringify(body.messages[1].content).slice(0, -1));
  for (let index = 2; index < 11; index++) expect(texts[index + 1]!.startsWith(texts[index]!)).toBe(true);
});

test("a picture that grew on disk is the one the model has seen, and a missing one is told", async () => {
  const folder = mkdtempSync(join(tmpdir(), "images-"));
  const path = join(folder, "a.png");
  writeFileSync(path, Buffer.from(png(10, 10), "base64"));
  await using server = await scriptedModel(["one", "two"]);
  const model = resolveModel({ model: "openai/scripted", apiBase: server.openai, env: {}, vision: true });
  const messages: Message[] = [
    { role: "user", type: "image", format: "path", content: path },
    { role: "user", type: "image", format: "path", content: join(folder, "none.png") },
  ];
  await ask(model, { messages });
  writeFileSync(path, Buffer.from(png(20, 20), "base64"));
  await ask(model, { messages });
  rmSync(folder, { recursive: true });
  expect(asked(server)[1]!.text).toBe(asked(server)[0]!.text);
  expect(asked(server)[0]!.text).toContain("none.png, which could not be read");
});

test("a file that is no picture is told, and nothing is refused", async () => {
  await using server = await scriptedModel(["ok"]);
  const model = resolveModel({ model: "openai/scripted", apiBase: server.openai, env: {}, vision: true });
  await ask(model, { messages: [image(Buffer.from("<svg/>").toString("base64"))] });
  expect(asked(server)[0]!.body.messages[1].content).toBe("[an image, which is not a picture that can be read]");
});

test("a chart that code makes is shown to a model that sees", async () => {
  const code = "import matplotlib.pyplot as plt\nplt.figure(figsize=(30, 10), dpi=100)\nplt.plot([1, 2])\nplt.show()";
  await using told = await startInterpreter(
    [run("python", code), "A line."],
    {
      model: "anthropic/claude-sonnet-5",
      apiKey: "k",
    },
    "anthropic",
  );
  await told.tell("plot");
  const [file] = pictures(asked(told.model)[1]!.body);
  expect(pictureFacts(file!)).toMatchObject({ kind: "png", width: 1568 });
});

test("the library takes pictures as messages: one, or several at once", async () => {
  await using told = await startInterpreter(["Grey.", "Two."], { llmSupportsVision: true });
  await told.interpreter.chat({ type: "image", format: "base64.png", content: png(5, 5) });
  expect(pictures(asked(told.model)[0]!.body)).toHaveLength(1);
  told.interpreter.add({ type: "image", format: "base64.png", content: png(6, 6) });
  await told.interpreter.chat("What are these?");
  expect(pictures(asked(told.model)[1]!.body)).toHaveLength(2);
  expect(told.interpreter.messages.map(({ type }) => type)).toEqual([
    "image",
    "message",
    "image",
    "message",
    "message",
  ]);
});
