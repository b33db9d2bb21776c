// Pictures from the person: named in a message, or taken from the clipboard of a real X server.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { findImages } from "../../src/terminal/images.ts";
import { readClipboardImage } from "../../src/terminal/images-clipboard.ts";
import { writePng } from "../pictures/write-png.ts";
import { Place } from "../support/program.ts";
import { type ScriptedModel, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const picture = writePng(12, 8, { colour: 2, depth: 8 }, (x, y) => (x * y) & 255);
const folder = mkdtempSync(join(tmpdir(), "named-"));
mkdirSync(join(folder, "my plots"));
for (const name of ["chart.png", "my plots/sales 2024.png", "it's (1).PNG", "tricky.png.", "wrong.jpg"])
  writeFileSync(join(folder, name), picture);
writeFileSync(join(folder, "notes.png"), "This is text.");
writeFileSync(join(folder, "data.csv"), "a,b\n");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asked = ({ requests }: ScriptedModel) => requests.filter(({ wire }) => wire !== undefined);

describe("a message that names pictures", () => {
  const spaced = join(folder, "my plots", "sales 2024.png");
  test.each([
    ["a name in this folder", "what is in chart.png?", ["chart.png"]],
    ["a path from here", "compare ./chart.png, please", ["chart.png"]],
    ["a whole path", `look at ${folder}/chart.png.`, ["chart.png"]],
    ["quotes", `look at "${spaced}"`, ["my plots/sales 2024.png"]],
    ["a path as terminals write what is dropped", spaced.replaceAll(" ", "\\ "), ["my plots/sales 2024.png"]],
    ["a path dropped among words", `look: ${spaced.replaceAll(" ", "\\ ")} !`, ["my plots/sales 2024.png"]],
    ["nothing but a path with spaces", `  ${spaced} `, ["my plots/sales 2024.png"]],
    ["a URL of a file", `${pathToFileURL(spaced)}`, ["my plots/sales 2024.png"]],
    ["capitals, quotes and brackets in the name", "it\\'s\\ \\(1\\).PNG", ["it's (1).PNG"]],
    ["brackets around it", "(see chart.png)", ["chart.png"]],
    ["several, each once", "chart.png and wrong.jpg and chart.png", ["chart.png", "wrong.jpg"]],
    ["what is not there", "make plot.png from data.csv", []],
    ["a name that lies", "read notes.png", []],
    ["no picture at all", "hello. png is a format", []],
  ])("%s", (_, text, expected) => {
    expect(findImages(text, folder).map(({ path }) => path)).toEqual(expected.map((name) => join(folder, name)));
  });

  test("from the home folder", () => {
    const before = process.env.HOME;
    process.env.HOME = folder;
    try {
      expect(findImages("see ~/chart.png", "/")).toMatchObject([{ path: join(folder, "chart.png"), width: 12 }]);
    } finally {
      process.env.HOME = before;
    }
  });
});

const vision = (model: ScriptedModel): string[] => [
  "--model",
  "x",
  "--api_base",
  model.openai,
  "--llm_supports_vision",
];

test("one shot: the picture goes along, and the person sees that", async () => {
  await using model = await scriptedModel(["Grey.", "Grey."]);
  using place = new Place();
  writeFileSync(join(place.folder, "chart.png"), picture);
  const { stdout } = await place.run([...vision(model), "what is in chart.png?"]);
  expect(stdout).toBe("attached chart.png (12 × 8)\n\nGrey.\n");
  const [{ content }] = asked(model)[0]!.body.messages.slice(-1);
  expect(content.map(({ type }: { type: string }) => type)).toEqual(["text", "image_url", "text"]);
  expect(content[1].image_url.url).toBe(`data:image/png;base64,${picture.toString("base64")}`);
  expect(content[2].text).toBe("what is in chart.png?");
  const { stdout: json } = await place.run([...vision(model), "--json", "what is in chart.png?"]);
  for (const line of json.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("type");
});

test("chat: named, taken with %image, and for a model that cannot see", async () => {
  await using model = await scriptedModel(["One.", "Two.", "Three."]);
  using place = new Place();
  writeFileSync(join(place.folder, "chart.png"), picture);
  await using screen = new Terminal(place, ["--model", "x", "--api_base", model.openai, "--no-llm_supports_vision"]);
  await screen.prompt();
  screen.enter("%image none.png");
  await screen.see("There is no picture at none.png.");
  screen.enter("%image chart.png");
  await screen.see("chart.png (12 × 8) goes along with your next message.");
  screen.enter("what is it?");
  await screen.see("attached chart.png (12 × 8)");
  await screen.see("This model cannot see pictures");
  await screen.see("One.");
  screen.enter("and?");
  await screen.see("Two.");
  const [first, second] = asked(model);
  expect(first!.body.messages.at(-1).content).toMatch(/the image .*chart\.png, which this model cannot see\]\n\nwhat/);
  expect(second!.text.match(/which this model cannot see/g)).toHaveLength(1);
  screen.enter("%quit");
  expect(await screen.ended()).toBe(0);
});

test("a clipboard that is not there is said in words", async () => {
  expect(await readClipboardImage({}, "linux")).toEqual({ problem: expect.stringMatching(/no desktop is running/) });
  expect(await readClipboardImage({ PATH: "/nowhere", DISPLAY: ":1" }, "linux")).toEqual({
    problem: expect.stringMatching(/read with xclip, which is not installed/),
  });
  expect(await readClipboardImage({ PATH: "/nowhere", WAYLAND_DISPLAY: "w" }, "linux")).toEqual({
    problem: expect.stringMatching(/Install wl-clipboard/),
  });
  expect(await readClipboardImage({ PATH: "/nowhere" }, "darwin")).toEqual({
    problem: "There is no picture in the clipboard.",
  });
});

const has = (program: string): boolean => {
  try {
    execFileSync("which", [program], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const missing = ["Xvfb", "xclip"].filter((program) => !has(program));

describe.skipIf(missing.length > 0)(
  `the clipboard of an X server (missing: ${missing.join(", ") || "nothing"})`,
  () => {
    /** A server of our own; it says which display it got. */
    async function startX(): Promise<{ env: NodeJS.ProcessEnv; server: ChildProcess }> {
      const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "64x64x24", "-nolisten", "tcp"], {
        stdio: ["ignore", "ignore", "ignore", "pipe"],
      });
      const display = await new Promise<string>((resolve, reject) => {
        server.on("error", reject);
        server.on("exit", () => reject(new Error("Xvfb ended")));
        server.stdio[3]!.on("data", (data: Buffer) => resolve(data.toString().trim()));
      });
      return { env: { ...process.env, DISPLAY: `:${display}`, WAYLAND_DISPLAY: undefined }, server };
    }

    /** Whoever copies stays there until something else is copied. */
    async function copy(env: NodeJS.ProcessEnv, type: string, data: Buffer | string): Promise<void> {
      const owner = spawn("xclip", ["-selection", "clipboard", "-t", type, "-i"], {
        env,
        stdio: ["pipe", "ignore", "ignore"],
      });
      owner.stdin.end(data);
      await new Promise((resolve) => owner.on("exit", resolve));
      for (let tries = 0; tries < 100; tries++) {
        const kinds = execFileSync("xclip", ["-selection", "clipboard", "-t", "TARGETS", "-o"], { env }).toString();
        if (kinds.includes(type)) return;
        await sleep(20);
      }
      throw new Error("the clipboard was never filled");
    }

    test("a picture in it is read; text is none", async () => {
      const { env, server } = await startX();
      try {
        expect(await readClipboardImage(env, "linux")).toEqual({ problem: "There is no picture in the clipboard." });
        await copy(env, "image/png", picture);
        expect(await readClipboardImage(env, "linux")).toEqual({ picture });
        await copy(env, "UTF8_STRING", "words");
        expect(await readClipboardImage(env, "linux")).toEqual({ problem: "There is no picture in the clipboard." });
      } finally {
        server.kill();
      }
    });

    test("%image takes it to the model", async () => {
      const { env, server } = await startX();
      try {
        await copy(env, "image/png", picture);
        await using model = await scriptedModel(["Grey."]);
        using place = new Place({ DISPLAY: env.DISPLAY });
        await using screen = new Terminal(place, vision(model));
        await screen.prompt();
        screen.enter("%image");
        await screen.see(/clipboard\.png \(12 × 8\) goes along with your next message\./);
        screen.enter("what is it?");
        await screen.see("Grey.");
        expect(asked(model)[0]!.text).toContain(picture.toString("base64"));
        screen.enter("%quit");
        await screen.ended();
      } finally {
        server.kill();
      }
    });
  },
);
