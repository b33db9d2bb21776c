// `--local` in a real terminal, with a server that lists and pulls like Ollama; and models without a server.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ggufHead, smallModel } from "../support/gguf.ts";
import { startModelHub } from "../support/model-hub.ts";
import { type OllamaOptions, startOllama } from "../support/ollama.ts";
import { Place } from "../support/program.ts";
import { Terminal } from "../support/terminal.ts";

const two = { "qwen3:8b": 5_200_000_000, "phi:mini": 2_000_000_000 };

/** A place whose Ollama is ours; no program of this machine's is found in it. */
async function atOllama(options: OllamaOptions = { models: two }) {
  const ollama = await startOllama(options);
  const place = new Place({ OLLAMA_HOST: ollama.origin });
  return {
    ollama,
    place,
    settings: join(place.folder, ".home", "settings.yaml"),
    async [Symbol.asyncDispose]() {
      place[Symbol.dispose]();
      await ollama[Symbol.asyncDispose]();
    },
  };
}

describe("choosing a model of a server", () => {
  test("shows what there is, and the chat uses what is chosen", async () => {
    await using here = await atOllama();
    await using screen = new Terminal(here.place, ["--local"]);
    await screen.see("Esc leaves.");
    expect(screen.text()).toContain("qwen3:8b");
    expect(screen.text()).toMatch(/phi:mini +Ollama, 2\.0 GB, reads 32k tokens/);
    screen.type("2\r");
    await screen.see("Use ollama/phi:mini");
    screen.enter();
    await screen.prompt();
    // The menus are gone; one line says what was chosen.
    expect(screen.text()).toMatch(/^Model: ollama\/phi:mini\nOpen Interpreter/);
    screen.enter("hello");
    await screen.see("I am phi:mini.");
    expect(existsSync(here.settings)).toBe(false);
  });

  test("with words: choose, then the words are carried out", async () => {
    await using here = await atOllama();
    await using screen = new Terminal(here.place, ["--local", "hello"]);
    await screen.see("Esc leaves.");
    screen.enter();
    await screen.see("Use ollama/qwen3:8b");
    screen.enter();
    await screen.see("I am qwen3:8b.");
    expect(await screen.ended()).toBe(0);
  });

  test("kept from now on, it stands in the settings beside what was there", async () => {
    await using here = await atOllama();
    mkdirSync(join(here.place.folder, ".home"));
    writeFileSync(here.settings, "# mine\nmodel: openai/gpt-x # the old one\nmax_steps: 7\n");
    await using screen = new Terminal(here.place, ["--local"]);
    await screen.see("Esc leaves.");
    screen.enter();
    await screen.see("Use ollama/qwen3:8b");
    screen.type("2\r");
    await screen.see("Kept in");
    await screen.prompt();
    expect(readFileSync(here.settings, "utf8")).toBe("# mine\nmodel: ollama/qwen3:8b # the old one\nmax_steps: 7\n");
  });

  test("an address that was given for another model is not used for this one", async () => {
    await using here = await atOllama();
    await using screen = new Terminal(here.place, ["--local", "--api_base", "http://127.0.0.1:1", "hello"]);
    await screen.see("Esc leaves.");
    screen.enter();
    await screen.see("Use ollama/qwen3:8b");
    screen.enter();
    await screen.see("I am qwen3:8b.");
  });

  test.each([
    ["Escape", "\x1b"],
    ["Ctrl-C", "\x03"],
  ])("%s leaves with a line that says so", async (_key, keys) => {
    await using here = await atOllama();
    await using screen = new Terminal(here.place, ["--local"]);
    await screen.see("Esc leaves.");
    screen.type(keys);
    expect(await screen.ended()).toBe(130);
    expect(screen.text()).toBe("Left without a model.");
  });

  test("--plain is a numbered list", async () => {
    await using here = await atOllama();
    await using screen = new Terminal(here.place, ["--local", "--plain"], { columns: 40 });
    await screen.see("Number (empty leaves):");
    screen.enter("1");
    await screen.see(/only this time[\s\S]*Number \(empty skips\):/);
    screen.enter("1");
    await screen.see("Model: ollama/qwen3:8b");
  });

  test("without a terminal it says what to do instead", async () => {
    using place = new Place();
    const { code, stderr } = await place.run(["--local", "hello"]);
    expect(code).toBe(2);
    expect(stderr).toContain("this is not a terminal");
    expect(stderr).toContain("--model ollama/NAME");
  });
});

describe("fetching with Ollama", () => {
  test("shows how far it is, and then the model is there to be used", async () => {
    await using here = await atOllama({ pullSize: 990_000_000, pace: 60 });
    await using screen = new Terminal(here.place, ["--local"]);
    await screen.see("Fetch a model with Ollama …");
    screen.type("1\r");
    await screen.see("Fetch with Ollama");
    expect(screen.text()).toMatch(/qwen2\.5-coder:1\.5b +990 MB/);
    screen.type("1\r");
    await screen.see(/█+░+ qwen2\.5-coder:1\.5b +\d+ %/);
    await screen.see("Use ollama/qwen2.5-coder:1.5b");
    screen.enter();
    await screen.see("Model: ollama/qwen2.5-coder:1.5b");
    expect(screen.text()).not.toContain("█");
  });

  test("any other model can be named", async () => {
    await using here = await atOllama({});
    await using screen = new Terminal(here.place, ["--local"]);
    await screen.see("Fetch a model with Ollama …");
    screen.type("1\r");
    await screen.see("Another …");
    screen.type("\x1b[F\r");
    await screen.see("Name of the model:");
    screen.enter("granite:2b");
    await screen.see("Use ollama/granite:2b");
    expect(here.ollama.pulls).toEqual([{ model: "granite:2b", hungUp: false }]);
  });

  test("Ctrl-C stops it and leads back to the menu", async () => {
    await using here = await atOllama({ pace: 2_000, models: two });
    await using screen = new Terminal(here.place, ["--local"], { columns: 40 });
    await screen.see("Fetch another model with Ollama …");
    screen.type("3\r");
    await screen.see("Fetch with Ollama");
    screen.enter();
    await screen.see(/░ qwen2\.5-coder:1\.5b/);
    screen.type("\x03");
    await screen.see(/Stopped\.[\s\S]*❯ 1 qwen3:8b/);
    expect(here.ollama.pulls).toEqual([{ model: "qwen2.5-coder:1.5b", hungUp: true }]);
  });

  test("what goes wrong is said, and the menu is there again", async () => {
    await using here = await atOllama({ pullFault: { error: "no space left on device" } });
    await using screen = new Terminal(here.place, ["--local"]);
    await screen.see("Fetch a model with Ollama …");
    screen.enter();
    await screen.see("Fetch with Ollama");
    screen.enter();
    await screen.see(/✗ Ollama could not fetch qwen2\.5-coder:1\.5b: no space left on device\.[\s\S]*❯ 1 Fetch/);
  });

  test("not with --offline", async () => {
    await using here = await atOllama();
    await using screen = new Terminal(here.place, ["--local", "--offline"]);
    await screen.see("Esc leaves.");
    expect(screen.text()).not.toMatch(/Fetch|without a server/);
  });
});

test("Ollama that is installed but does not run is started", async () => {
  const { port } = await startOllama().then(async (ollama) => {
    await ollama[Symbol.asyncDispose]();
    return ollama;
  });
  using place = new Place({ OLLAMA_HOST: `127.0.0.1:${port}`, OLLAMA_MODELS_HERE: JSON.stringify(two) });
  const program = join(place.folder, "ollama");
  const standIn = join(import.meta.dirname, "../support/ollama.ts");
  const pid = join(place.folder, "pid");
  writeFileSync(program, `#!/bin/sh\necho $$ > ${pid}\nexec "${process.execPath}" "${standIn}" "$@"\n`);
  chmodSync(program, 0o755);
  place.env.PATH = `${place.folder}:${place.env.PATH}`;
  try {
    await using screen = new Terminal(place, ["--local"]);
    await screen.see("Start Ollama");
    expect(screen.text()).toContain("installed, not running");
    screen.enter();
    await screen.see("qwen3:8b");
    screen.enter();
    await screen.see("Use ollama/qwen3:8b");
  } finally {
    process.kill(Number(readFileSync(pid, "utf8")));
  }
});

describe("where nothing runs", () => {
  const nothing = { OLLAMA_HOST: "127.0.0.1:1", PATH: "/nonexistent" };

  test("it says how to install a server", async () => {
    using place = new Place(nothing);
    await using screen = new Terminal(place, ["--local"]);
    await screen.see("How to install a model server");
    screen.type("2\r");
    await screen.see(/Ollama +.*ollama\.com[\s\S]*❯ 1 Run a model without a server/);
  });

  test("weights are fetched with a yes, and chosen; what runs them is there", async () => {
    await using hub = await startModelHub({ content: Buffer.concat([ggufHead(smallModel), Buffer.alloc(2_000_000)]) });
    using place = new Place({ ...nothing, HF_ENDPOINT: hub.origin });
    putEngine(place);
    await using screen = new Terminal(place, ["--local"]);
    await screen.see("Run a model without a server …");
    screen.enter();
    await screen.see("Without a server (memory:");
    screen.enter();
    await screen.see(/This needs qwen2\.5-coder-0\.5b \(490 MB\)\. Fetch it now\?/);
    screen.enter();
    await screen.see(/qwen2\.5-coder-0\.5b is downloaded\.[\s\S]*Use embedded\/qwen2\.5-coder-0\.5b/);
    screen.enter();
    await screen.see("Model: embedded/qwen2.5-coder-0.5b");
    expect(existsSync(join(place.folder, ".home", "models", "qwen2.5-coder-0.5b.gguf"))).toBe(true);
  });

  test("a no fetches nothing", async () => {
    await using hub = await startModelHub({ content: Buffer.alloc(10) });
    using place = new Place({ ...nothing, HF_ENDPOINT: hub.origin });
    await using screen = new Terminal(place, ["--model", "embedded/qwen3-4b"]);
    await screen.see(/This needs the engine \(about \d+ MB\) and qwen3-4b \(2\.5 GB\)\. Fetch it now\?/);
    screen.type("2\r");
    expect(await screen.ended()).toBe(130);
    expect(hub.requests).toEqual([]);
    expect(existsSync(join(place.folder, ".home", "engine"))).toBe(false);
  });
});

/** What looks like the installed engine; nothing here runs it. */
function putEngine(place: Place): void {
  const folder = join(place.folder, ".home", "engine", "node_modules", "node-llama-cpp");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "version": "3.22.1" }');
}

describe("a model without a server, without a person", () => {
  test.each([
    ["that is not there", ["--model", "none.gguf"], /There is no file .*none\.gguf\./],
    ["that is no model", ["--model", "text.gguf"], /is not a GGUF file\./],
    ["that nobody knows", ["--model", "embedded/qwen3-4bb"], /Did you mean embedded\/qwen3-4b\?/],
    ["that is not downloaded", ["--model", "embedded/qwen3-4b"], /Run: interpreter install embedded\/qwen3-4b/],
    ["that nothing runs yet", ["--model", "model.gguf"], /Run: interpreter install embedded\n/],
    ["that would have to be fetched offline", ["--offline", "--model", "embedded/qwen3-4b"], /--offline is on/],
    ["that would have to be installed offline", ["--offline", "install", "embedded"], /--offline is on/],
  ])("%s", async (_title, args, message) => {
    using place = new Place();
    writeFileSync(join(place.folder, "text.gguf"), "hello");
    writeFileSync(join(place.folder, "model.gguf"), ggufHead(smallModel));
    const { code, stderr } = await place.run(args[1] === "install" ? args : [...args, "hello"]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  test("the command to fetch one shows how far it is, and leaves it ready", async () => {
    await using hub = await startModelHub({ content: Buffer.concat([ggufHead(smallModel), Buffer.alloc(2_000_000)]) });
    using place = new Place({ HF_ENDPOINT: hub.origin });
    putEngine(place);
    const { code, stdout } = await place.run(["install", "embedded/qwen3-4b"]);
    expect(stdout).toMatch(
      /qwen3-4b: \d+ % of 2 MB\n[\s\S]*qwen3-4b is downloaded\.\nUse it: interpreter --model embedded/,
    );
    expect(code).toBe(0);
    expect((await place.run(["install", "embedded/qwen3-4b"])).stdout).toBe("Everything is installed already.\n");
  });
});

describe("installing what runs them", () => {
  const npm = { npm_config_fetch_retries: "0" };

  test("tells what npm says when it fails, and leaves nothing half-done", async () => {
    using place = new Place({ ...npm, npm_config_registry: "http://127.0.0.1:1" });
    place.env.npm_config_cache = join(place.folder, "cache");
    const { code, stderr } = await place.run(["install", "embedded"]);
    expect(stderr).toMatch(/The engine could not be installed: .*127\.0\.0\.1:1/);
    expect(code).toBe(2);
    // Whom it asked is written down.
    expect(readdirSync(join(place.folder, ".home"))).toEqual(["outbox.jsonl"]);
  });

  test("stops at Ctrl-C, and leaves nothing half-done", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    using place = new Place({ ...npm, npm_config_registry: `http://127.0.0.1:${port}` });
    place.env.npm_config_cache = join(place.folder, "cache");
    const asked = new Promise((resolve) => silent.once("request", resolve));
    await using screen = new Terminal(place, ["install", "embedded"]);
    await asked;
    await screen.see("Installing the engine …");
    screen.type("\x03");
    expect(await screen.ended()).toBe(130);
    expect(screen.text()).toBe("The engine was not installed.");
    // Whom it asked is written down.
    expect(readdirSync(join(place.folder, ".home"))).toEqual(["outbox.jsonl"]);
    silent.closeAllConnections();
    silent.close();
  });
});

const models = join(import.meta.dirname, "../../.models");

test.skipIf(!existsSync(join(models, "engine")) || !existsSync(join(models, "models", "smollm2-135m.gguf")))(
  "a real one answers in the chat, stops at Ctrl-C, and answers again",
  async () => {
    using place = new Place({ OLLAMA_HOST: "127.0.0.1:1" });
    mkdirSync(join(place.folder, ".home"));
    for (const part of ["engine", "models"]) symlinkSync(join(models, part), join(place.folder, ".home", part));
    await using screen = new Terminal(place, ["--local"]);
    await screen.see(/smollm2-135m +without a server, 98 MB/);
    screen.enter();
    await screen.see("Use embedded/smollm2-135m");
    screen.enter();
    await screen.prompt();
    screen.enter("Tell a very long story about a llama, with many chapters.");
    await screen.see(/chapters\.\s+\S.{20}/s);
    screen.type("\x03");
    await screen.see("Stopped.");
    await screen.prompt();
    screen.enter("%quit");
    expect(await screen.ended()).toBe(0);
  },
);
