import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startInNamespace, whyNoNamespace } from "../support/namespace.ts";
import type { Outcome, Scenario } from "../support/offline-scenario.ts";
import { finish, Place } from "../support/program.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

const hosted = ["--model", "anthropic/claude-x"];

describe("--offline", () => {
  test.each<[string, string[], NodeJS.ProcessEnv, RegExp]>([
    ["a hosted model", [...hosted, "hi"], { ANTHROPIC_API_KEY: "k" }, /anthropic\/claude-x is not on this machine/],
    ["a hosted model without a key", [...hosted, "hi"], {}, /--offline is on, and anthropic\/claude-x is not/],
    [
      "a short name of one",
      ["--model", "gpt-5", "hi"],
      { OPENAI_API_KEY: "k" },
      /openai\/gpt-5 is not on this machine/,
    ],
    [
      "an address elsewhere",
      ["--model", "x", "--api_base", "https://models.example/v1", "hi"],
      {},
      /x \(models\.example\) is not on this machine/,
    ],
    [
      "an address of the local network",
      ["--model", "x", "--api_base", "http://192.168.1.7:8000", "hi"],
      {},
      /192\.168\.1\.7/,
    ],
    [
      "a name that only looks local",
      ["--model", "x", "--api_base", "http://localhost.example", "hi"],
      {},
      /is not on this/,
    ],
    [
      "an Ollama elsewhere",
      ["--model", "ollama/llama3.1", "hi"],
      { OLLAMA_HOST: "10.0.0.7" },
      /ollama\/llama3\.1 is not/,
    ],
    ["a model that Ollama sends on", ["--model", "ollama/gpt-oss:120b-cloud", "hi"], {}, /120b-cloud is not on this/],
    [
      "a gateway in the environment",
      [...hosted, "hi"],
      { ANTHROPIC_BASE_URL: "https://gate.example" },
      /is not on this/,
    ],
    [
      "a machine elsewhere",
      ["--machine", "https://jupyter.example/?token=t", "hi"],
      {},
      /machine at jupyter\.example is another/,
    ],
  ])("refuses %s with exit code 2, and says what to do", async (_, args, env, message) => {
    using place = new Place(env);
    const { code, stdout, stderr } = await place.run(["--offline", ...args]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(2);
  });

  test("can be a setting in the environment", async () => {
    using place = new Place({ INTERPRETER_OFFLINE: "yes", ANTHROPIC_API_KEY: "k" });
    expect((await place.run([...hosted, "hi"])).stderr).toContain("--offline is on");
  });

  test.each(["127.0.0.1", "localhost", "127.8.9.1", "[::ffff:127.0.0.1]"])("takes a model at %s", async (host) => {
    await using model = await scriptedModel(["Hello."]);
    using place = new Place();
    const base = model.openai.replace("127.0.0.1", host);
    // The server listens on one address only; others of this machine are allowed and refuse the connection.
    const { stdout } = await place.run(["--offline", "--model", "x", "--api_base", base, "hi"]);
    expect(stdout).toMatch(host === "127.8.9.1" ? /Nothing answers at/ : /Hello\./);
  });

  test("tells the model, and only then", async () => {
    await using model = await scriptedModel(["ok", "ok"]);
    using place = new Place();
    const use = ["--model", "x", "--api_base", model.openai];
    await place.run([...use, "--offline", "hi"]);
    await place.run([...use, "hi"]);
    const [offline, online] = model.requests.map(({ body }) => body.messages[0].content as string);
    expect(offline).toContain("The person works offline");
    expect(online).not.toContain("offline");
  });

  test("a whole chat with a model on this machine", async () => {
    await using model = await scriptedModel([run("python", "print(6 * 7)"), "It is 42."]);
    using place = new Place({ ANTHROPIC_API_KEY: "k" });
    await using chat = new Terminal(place, ["--offline", "-y", "--model", "x", "--api_base", model.openai]);
    await chat.see("model x, offline");
    await chat.prompt();
    chat.enter("six times seven");
    await chat.see("It is 42.");
    chat.enter("%model anthropic/claude-x");
    await chat.see("--offline is on, and anthropic/claude-x is not on this machine.");
  });
});

const why = whyNoNamespace();

/** Everything that leaves is counted by a device. What is not allowed to leave must be seen to leave without --offline. */
describe.skipIf(why)(`in a network that leads nowhere${why && ` (skipped: ${why})`}`, () => {
  const here = ["--model", "x", "--api_base", "MODEL/v1"];
  const key = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" };
  const sum: Scenario["blocks"] = [["python", "print(6 * 7)"]];

  test.each<[string, Scenario]>([
    ["a hosted model", { args: [...hosted, "hi"], env: key }],
    ["a model chosen by a key", { args: ["hi"], env: key }],
    [
      "an address elsewhere",
      { args: ["--model", "x", "--api_base", "http://10.1.2.3:8000/v1", "hi"], untilSent: true },
    ],
    ["an address by name", { args: ["--model", "x", "--api_base", "https://models.example/v1", "hi"] }],
    ["an Ollama elsewhere", { args: ["--model", "ollama/x", "hi"], env: { OLLAMA_HOST: "10.1.2.3" }, untilSent: true }],
    ["a machine elsewhere", { args: [...here, "--machine", "http://10.1.2.3:8888/?token=t", "hi"], untilSent: true }],
    [
      "a server here that sends on to another",
      { args: [...hosted, "--api_base", "MODEL/v1", "hi"], env: key, redirect: "http://10.1.2.3/v1", untilSent: true },
    ],
    ["a newer catalogue", { args: ["models", "--refresh"] }],
    ["settings in a file", { args: ["hi"], settings: "model: openai/gpt-x\napi_key: k\n" }],
  ])("%s: packets leave without --offline and none with it", async (_, scenario) => {
    const control = await runScenario(scenario);
    expect(control.sent).toBeGreaterThan(0);
    const offline = await runScenario({ ...scenario, args: ["--offline", ...scenario.args] });
    expect(offline.sent).toBe(0);
    expect(offline.code).toBeGreaterThan(0);
    expect(offline.stdout + offline.stderr).toContain("--offline is on");
  });

  test.each<[string, Scenario]>([
    ["one-shot", { args: ["-y", ...here, "go"], env: key, blocks: sum }],
    [
      "with the model of a server here",
      { args: ["-y", "go"], env: { ...key, OLLAMA_HOST: "127.0.0.1:PORT" }, blocks: sum },
    ],
    ["with localhost", { args: ["-y", "--model", "x", "--api_base", "http://localhost:PORT/v1", "go"], blocks: sum }],
    ["on Anthropic's wire", { args: ["-y", ...hosted, "--api_base", "MODEL/v1", "go"], env: key, blocks: sum }],
    [
      "with proxies configured",
      {
        args: ["-y", ...here, "go"],
        blocks: sum,
        env: { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://10.1.2.3:3128", http_proxy: "http://10.1.2.3:3128" },
      },
    ],
    [
      "on Anthropic's wire with proxies configured",
      {
        args: ["-y", ...hosted, "--api_base", "MODEL/v1", "go"],
        blocks: sum,
        env: {
          ...key,
          NODE_USE_ENV_PROXY: "1",
          HTTP_PROXY: "http://10.1.2.3:3128",
          http_proxy: "http://10.1.2.3:3128",
        },
      },
    ],
  ])("a whole turn works and nothing leaves: %s", async (_, scenario) => {
    const { code, stdout, stderr, requests, sent } = await runScenario({
      ...scenario,
      args: ["--offline", ...scenario.args],
    });
    expect([code, stderr, requests, sent]).toEqual([0, "", 2, 0]);
    expect(stdout).toContain("42");
    expect(stdout).toContain("All done.");
  });

  test("nothing is installed", async () => {
    const { code, stderr, sent } = await runScenario({ args: ["--offline", "install", "embedded"] });
    expect([code, sent]).toEqual([2, 0]);
    expect(stderr).toContain("--offline is on");
  });

  test("starting every language's session sends nothing", async () => {
    const blocks: Scenario["blocks"] = [
      ["python", "1"],
      ["javascript", "1"],
      ["shell", "true"],
      ["html", "<p>hello</p>"],
      ["sql", "select 1"],
      ["r", "1"],
      ["ruby", "1"],
      ["java", "1"],
    ];
    const { code, requests, sent } = await runScenario({ args: ["--offline", "-y", ...here, "go"], blocks });
    expect([code, requests, sent]).toEqual([0, blocks.length + 1, 0]);
  });

  test.each([
    ["the sandbox holds back code, too", [], 0],
    ["without one, code that the person approves is theirs", ["--sandbox", "off"], 1],
  ])("%s", async (_, flags, packets) => {
    const code = "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('10.1.2.3', 9))";
    const args = ["--offline", "-y", ...flags, ...here, "go"];
    const { sent } = await runScenario({ args, blocks: [["python", code]] });
    expect(sent).toBe(packets);
  });
});

async function runScenario(scenario: Scenario): Promise<Outcome> {
  const script = join(import.meta.dirname, "../support/offline-scenario.ts");
  const args = ["--disable-warning=ExperimentalWarning", script, JSON.stringify(scenario)];
  const { stdout, stderr } = await finish(startInNamespace(process.execPath, args, process.env));
  const last = stdout.trim().split("\n").at(-1);
  if (!last) throw new Error(`The scenario came to nothing: ${stderr}`);
  return JSON.parse(last) as Outcome;
}
