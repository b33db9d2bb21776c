// Code that takes as much of this process as it can get: what it gets is bounded.

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startInterpreter } from "../support/interpreter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { python, whyNoLayer } from "../support/protected-folder.ts";
import { run } from "../support/scripted-model.ts";

const why = whyNoLayer();

function openPlace() {
  const folder = lastingFolder("flood-");
  const [home, cwd] = [join(folder, "home"), join(folder, "work")];
  for (const each of [home, cwd]) mkdirSync(each);
  const env = { ...process.env, HOME: home, INTERPRETER_HOME: join(home, ".oi") };
  return {
    options: { cwd, env, python, sandbox: "workspace", conversation: true } as const,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const descriptors = (): number => readdirSync("/proc/self/fd").length;

const many = `
import socket, time
socket.setdefaulttimeout(5)
kept = []
for port in range(20_000, 20_400):
    one = socket.socket()
    one.bind(('127.0.0.1', port))
    one.listen(1)
    kept.append(one)
for _ in range(1_500):
    try: kept.append(socket.create_connection(('127.0.0.1', 3128)))
    except OSError: pass
time.sleep(1.5)
print(len(kept) > 400)
`;

const asking = (count: number): string => `
import socket
def ask(host):
    with socket.create_connection(('127.0.0.1', 3128)) as one:
        one.sendall(f'CONNECT {host}:443 HTTP/1.1\\r\\n\\r\\n'.encode())
        return one.recv(100).decode()
for one in globals().get('kept', []): one.close()
for number in range(${count}): said = ask(f'host-{number}.example')
print(said)
`;

test.skipIf(why)("ports and connections of ours", async () => {
  using place = openPlace();
  await using told = await startInterpreter([], place.options);
  const { computer } = told.interpreter;
  await computer.run("python", "1");
  const before = descriptors();
  const said = await computer.run("python", many);
  expect(said.map(({ content }) => content).join("")).toContain("True");
  expect(descriptors() - before).toBeLessThan(700);
  // And the way out goes on for whoever asks.
  const answer = await computer.run("python", asking(1));
  expect(answer.map(({ content }) => content).join("")).toContain("403 Forbidden by the sandbox");
});

test.skipIf(why)("sentences about hosts", async () => {
  using place = openPlace();
  await using told = await startInterpreter([run("python", asking(200)), "Done."], place.options);
  await told.tell("all hosts");
  const sentences = told.interpreter.effects()!.effects.denied!.join("\n");
  expect(sentences.match(/does not let code reach host-/g)!.length).toBeLessThan(30);
  expect(sentences).toContain("180 more times, the sandbox did not let code reach a host.");
});
