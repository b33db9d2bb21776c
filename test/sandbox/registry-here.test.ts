// A registry on this machine is a way to its own port, and to nothing else that listens here.

import { mkdirSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { python, whyNoLayer } from "../support/protected-folder.ts";

const why = whyNoLayer();

async function listen() {
  let visits = 0;
  const server = createServer((client) => {
    visits++;
    client.on("error", () => {}).end("hello from outside\n");
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.address() as AddressInfo).port,
    visits: () => visits,
    [Symbol.dispose]: () => void server.close(),
  };
}

test.skipIf(why).each(["127.0.0.1", "localhost"])("%s", async (host) => {
  using registry = await listen();
  using database = await listen();
  const folder = lastingFolder("registry-");
  const [home, cwd] = [join(folder, "home"), join(folder, "work")];
  for (const each of [home, cwd]) mkdirSync(each);
  const env = {
    ...process.env,
    HOME: home,
    INTERPRETER_HOME: join(home, ".oi"),
    npm_config_registry: `http://${host}:${registry.port}/`,
  };
  try {
    await using told = await startInterpreter([], { cwd, env, python, sandbox: "workspace", conversation: true });
    const code = `
import socket
for port in (${registry.port}, ${database.port}):
    with socket.create_connection(('127.0.0.1', 3128)) as one:
        one.sendall(f'CONNECT ${host}:{port} HTTP/1.1\\r\\n\\r\\n'.encode())
        print(one.recv(1000).decode().split('\\r\\n')[0])`;
    const said = (await told.interpreter.computer.run("python", code)).map(({ content }) => content).join("");
    expect(said).toContain("200 Connection established\nHTTP/1.1 403 Forbidden by the sandbox");
    expect([registry.visits(), database.visits()]).toEqual([1, 0]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
