// Model servers on this machine, found by what they answer. The listeners are real; only the ports are the test's own.

import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { describe, expect, test } from "vitest";
import { contextWindows, findLocalServers } from "../../src/models/local/index.ts";
import { startOllama } from "../support/ollama.ts";

async function listening(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      if ("closeAllConnections" in server) (server as ReturnType<typeof createServer>).closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers these paths with JSON, and everything else with 404. */
function serve(answers: Record<string, unknown>, headers: Record<string, string> = {}) {
  const answer: RequestListener = ({ url = "" }, response) => {
    const body = answers[url];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body ?? { error: "not found" }));
  };
  return listening(createServer(answer));
}

/** A port where nothing listens. */
async function freePort(): Promise<number> {
  await using server = await listening(createTcpServer());
  return server.port;
}

/** Every port is one where nothing listens, but those that are given. */
async function look(
  ports: Partial<Record<"ollama" | "lmstudio" | "jan" | "llamacpp" | "vllm", number>>,
  within = 10_000,
) {
  const nothing = await freePort();
  const none = { ollama: nothing, lmstudio: nothing, jan: nothing, llamacpp: nothing, vllm: nothing };
  return findLocalServers({ env: {}, ports: { ...none, ...ports }, within });
}

const models = (...ids: string[]) => ({ object: "list", data: ids.map((id) => ({ id, object: "model" })) });

describe("each is known by its answers", () => {
  test("Ollama, with the size of each model; what is for searching is left out", async () => {
    await using ollama = await startOllama({ models: { "qwen3:8b": 5_200_000_000, "nomic-embed-text:latest": 1 } });
    expect(await look({ ollama: ollama.port })).toEqual([
      {
        name: "Ollama",
        provider: "ollama",
        url: `${ollama.origin}/v1`,
        models: [{ name: "qwen3:8b", bytes: 5_200_000_000 }],
      },
    ]);
  });

  test("Ollama without a model is still Ollama", async () => {
    await using ollama = await startOllama();
    expect(await look({ ollama: ollama.port })).toMatchObject([{ provider: "ollama", models: [] }]);
  });

  test("LM Studio, by the list of its own", async () => {
    const own = {
      data: [
        { id: "qwen/qwen3-4b", type: "llm", max_context_length: 32_768 },
        { id: "some-vectors", type: "embeddings" },
      ],
    };
    await using studio = await serve({ "/api/v0/models": own, "/v1/models": models("qwen/qwen3-4b", "some-vectors") });
    const [server] = await look({ lmstudio: studio.port });
    expect(server).toMatchObject({ name: "LM Studio", provider: "lmstudio", models: [{ name: "qwen/qwen3-4b" }] });
    expect([...(await contextWindows(server!))]).toEqual([["qwen/qwen3-4b", 32_768]]);
  });

  test("Jan and vLLM", async () => {
    await using jan = await serve({ "/v1/models": models("jan-nano") });
    const served = { data: [{ id: "meta/llama", owned_by: "vllm", max_model_len: 4_096 }] };
    await using vllm = await serve({ "/v1/models": served });
    const found = await look({ jan: jan.port, vllm: vllm.port });
    expect(found.map(({ name, models: [first] }) => [name, first?.name])).toEqual([
      ["Jan", "jan-nano"],
      ["vLLM", "meta/llama"],
    ]);
    expect([...(await contextWindows(found[1]!))]).toEqual([["meta/llama", 4_096]]);
  });

  const gguf = { data: [{ id: "/models/phi.gguf", owned_by: "llamacpp", meta: { size: 2_000_000_000 } }] };

  test.each([
    ["llama.cpp, by its name in every answer", { "/v1/models": models("phi") }, { server: "llama.cpp" }, "llamacpp"],
    ["llama.cpp, by whom the model belongs to", { "/v1/models": gguf }, {}, "llamacpp"],
    [
      "llama.cpp, by its properties",
      { "/v1/models": models("phi"), "/props": { default_generation_settings: { n_ctx: 4_096 } } },
      {},
      "llamacpp",
    ],
    ["llamafile, by its name", { "/v1/models": models("phi") }, { server: "llamafiler/0.9.3" }, "llamafile"],
    [
      "llamafile, by the file it runs from",
      { "/v1/models": gguf, "/props": { model_path: "/home/ann/phi.llamafile" } },
      { server: "llama.cpp" },
      "llamafile",
    ],
  ])("%s", async (_title, answers, headers, provider) => {
    await using server = await serve(answers, headers);
    expect(await look({ llamacpp: server.port })).toMatchObject([{ provider }]);
  });

  test("something else that speaks the format is called by its port", async () => {
    await using server = await serve({ "/v1/models": models("any") }, { server: "uvicorn" });
    const found = await look({ llamacpp: server.port, vllm: server.port });
    expect(found.map(({ name }) => name)).toEqual([
      `A server on port ${server.port}`,
      `A server on port ${server.port}`,
    ]);
  });
});

describe("what is no model server is not taken for one", () => {
  test.each([
    ["another kind of JSON", { "/v1/models": { data: [{ title: "A car" }] }, "/api/tags": { tags: ["red"] } }],
    ["a list of nothing", { "/v1/models": [], "/api/tags": [] }],
    ["a list that is empty", { "/v1/models": { data: [] } }],
    ["no JSON at all", { "/v1/models": "<html>Hello</html>", "/api/tags": "<html>Hello</html>" }],
    ["nothing there", {}],
  ])("%s", async (title, answers) => {
    await using server = await serve(answers);
    const { port } = server;
    const found = await look({ ollama: port, llamacpp: port, vllm: port });
    expect(found, title).toEqual([]);
  });
});

test("one that accepts and never answers is not waited for", { timeout: 5_000 }, async () => {
  await using silent = await listening(createTcpServer((socket) => socket.resume()));
  await using ollama = await startOllama({ models: { "phi:latest": 1 } });
  const { port } = silent;
  const found = await look({ ollama: ollama.port, lmstudio: port, jan: port, llamacpp: port, vllm: port }, 500);
  expect(found.map(({ provider }) => provider)).toEqual(["ollama"]);
});

test("where nothing is said otherwise, a moment is all that one gets", { timeout: 5_000 }, async () => {
  await using silent = await listening(createTcpServer((socket) => socket.resume()));
  const { port } = silent;
  const ports = { ollama: port, lmstudio: port, jan: port, llamacpp: port, vllm: port };
  expect(await findLocalServers({ env: {}, ports })).toEqual([]);
});

test("one that never ends its answer is not waited for", { timeout: 5_000 }, async () => {
  await using endless = await listening(
    createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"data": [');
    }),
  );
  expect(await look({ llamacpp: endless.port }, 150)).toEqual([]);
});

test.each(["127.0.0.1:PORT", "http://127.0.0.1:PORT", "http://localhost:PORT/", "0.0.0.0:PORT"])(
  "OLLAMA_HOST=%s is where Ollama is looked for",
  async (written) => {
    await using ollama = await startOllama({ models: { "phi:latest": 1 } });
    const nothing = await freePort();
    const found = await findLocalServers({
      env: { OLLAMA_HOST: written.replace("PORT", String(ollama.port)) },
      ports: { lmstudio: nothing, jan: nothing, llamacpp: nothing, vllm: nothing },
      within: 10_000,
    });
    expect(found).toMatchObject([{ provider: "ollama", models: [{ name: "phi:latest" }] }]);
  },
);
