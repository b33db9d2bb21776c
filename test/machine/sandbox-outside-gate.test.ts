// The way out at a port of this machine: only who knows the password is heard, and each host is decided upon as everywhere.

import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DecisionsRequest } from "../../src/machine/sandbox/network/decisions.ts";
import { type OutsideGate, openOutsideGate } from "../../src/machine/sandbox/network/outside-gate.ts";
import type { Target } from "../../src/machine/sandbox/network/proxy.ts";
import { testPython } from "../support/session.ts";

let gate: OutsideGate;
let port: number;
let visits: string[];
let asked: string[];
let judged: Target[];
const web = createServer((request, response) => {
  visits.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
  response.end("reached");
});

const open = async (judge: DecisionsRequest["judge"], ask?: DecisionsRequest["ask"]): Promise<void> => {
  gate = await openOutsideGate({
    judge: (target) => {
      judged.push(target);
      return judge(target);
    },
    ask,
  });
};

beforeEach(async () => {
  [visits, asked, judged] = [[], [], []];
  await new Promise<void>((ready) => web.listen(0, "127.0.0.1", ready));
  port = (web.address() as AddressInfo).port;
});
afterEach(async () => {
  gate.close();
  await new Promise((done) => web.close(done));
});

const run = (command: string, args: string[], env: Record<string, string> = {}): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { env: { PATH: process.env.PATH, ...gate.env, ...env } });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text));
    child.once("close", () => resolve(said));
  });

/** What comes back when these bytes are sent, one after the other, each when something was answered. */
const say = (...words: (string | Buffer)[]): Promise<Buffer> =>
  new Promise((resolve) => {
    const socket = connect(gate.port, "127.0.0.1");
    const answers: Buffer[] = [];
    const next = (): void => {
      const word = words.shift();
      if (word !== undefined) socket.write(word);
    };
    socket.on("connect", next);
    socket.on("data", (bytes) => {
      answers.push(bytes);
      if (words.length === 0) socket.end();
      next();
    });
    socket.on("close", () => resolve(Buffer.concat(answers)));
  });

const has = (program: string): boolean => spawnSync("which", [program]).status === 0;

describe("programs find it by their variables", () => {
  const script = {
    python: "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read())",
    node: "fetch(process.argv[1]).then((r) => r.text()).then(console.log, (e) => console.log(String(e.cause ?? e)))",
  };
  const programs: [string, string, string[]][] = [
    ["curl", "curl", ["-sS"]],
    ["curl, through a tunnel", "curl", ["-sS", "-p"]],
    ["curl, which says nothing before it is asked", "curl", ["-sS", "--proxy-anyauth"]],
    ["wget", "wget", ["-qO-"]],
    ["python", testPython, ["-c", script.python]],
    ["node", process.execPath, ["-e", script.node]],
  ];
  for (const [name, command, args] of programs)
    test.skipIf(!has(command))(name, async () => {
      await open(() => "allow");
      expect(await run(command, [...args, `http://127.0.0.1:${port}/x`])).toContain("reached");
      expect(visits).toEqual(["GET /x "]);
      expect(gate.take()).toEqual({ reached: ["127.0.0.1"], refused: [] });
    });
  test.skipIf(!has("curl"))("by SOCKS", async () => {
    await open(() => "allow");
    const { all_proxy = "" } = gate.env;
    const said = await run("curl", ["-sS", "--proxy", all_proxy, `http://127.0.0.1:${port}/x`], { http_proxy: "" });
    expect(said).toBe("reached");
  });
});

describe("who does not know the password is not heard", () => {
  const request = () => `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n`;
  const basic = (text: string) => `Proxy-Authorization: Basic ${Buffer.from(text).toString("base64")}\r\n`;
  const secret = () => new URL(gate.env.http_proxy!).password;
  const refused: [string, () => string][] = [
    ["no word", () => `${request()}\r\n`],
    ["a wrong one", () => `${request()}${basic("code:wrong")}\r\n`],
    ["a part of it", () => `${request()}${basic(`code:${secret().slice(0, -1)}`)}\r\n`],
    ["none", () => `${request()}${basic("code:")}\r\n`],
    ["another name", () => `${request()}${basic(`root:${secret()}`)}\r\n`],
    ["for the server only", () => `${request()}${basic(`code:${secret()}`).replace("Proxy-", "")}\r\n`],
    ["a tunnel", () => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`],
  ];
  for (const [name, words] of refused)
    test(`HTTP: ${name}`, async () => {
      await open(() => "allow");
      expect((await say(words())).toString()).toMatch(/^HTTP\/1\.1 407 .*\r\nProxy-Authenticate: Basic/);
      expect([visits, judged]).toEqual([[], []]);
    });

  const wish = () => Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 255]);
  const login = (name: string, word: string) =>
    Buffer.concat([Buffer.from([1, name.length]), Buffer.from(name), Buffer.from([word.length]), Buffer.from(word)]);
  test("SOCKS: nobody is let in without a login", async () => {
    await open(() => "allow");
    expect([...(await say(Buffer.from([5, 1, 0])))]).toEqual([5, 0xff]);
    expect([...(await say(Buffer.from([5, 2, 0, 2]), wish()))].slice(0, 3)).toEqual([5, 2, 1]);
    expect([...(await say(Buffer.from([5, 1, 2]), login("code", "wrong"), wish()))]).toEqual([5, 2, 1, 1]);
    expect([visits, judged]).toEqual([[], []]);
    expect([...(await say(Buffer.from([5, 1, 2]), login("code", secret()), wish()))].slice(0, 5)).toEqual([
      5, 2, 1, 0, 5,
    ]);
    expect(judged).toHaveLength(1);
  });
  test("a login that arrives letter by letter is waited for", async () => {
    await open(() => "allow");
    const bytes = Buffer.concat([Buffer.from([5, 1, 2]), login("code", secret()), wish()]);
    const socket = connect(gate.port, "127.0.0.1");
    const answer = new Promise<Buffer>((resolve) => {
      let all = Buffer.alloc(0);
      socket.on("data", (some) => {
        all = Buffer.concat([all, some]);
        if (all.length >= 14) resolve(all);
      });
    });
    for (const byte of bytes) {
      socket.write(Buffer.from([byte]));
      await new Promise((next) => setImmediate(next));
    }
    expect([...(await answer)]).toEqual([5, 2, 1, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    socket.destroy();
  });
  test("two gates have two passwords, and neither is told to a server", async () => {
    await open(() => "allow");
    const other = await openOutsideGate({ judge: () => "allow" });
    expect(new URL(other.env.http_proxy!).password).not.toBe(secret());
    expect(secret()).toMatch(/^[0-9a-f]{48}$/);
    other.close();
    expect((await say(`${request()}${basic(`code:${secret()}`)}\r\n`)).toString()).toContain("reached");
    expect(visits).toEqual(["GET / "]);
  });
});

describe("each host is decided upon", () => {
  const fetched = async (host: string): Promise<string> => {
    const { username, password } = new URL(gate.env.http_proxy!);
    const who = Buffer.from(`${username}:${password}`).toString("base64");
    return String(await say(`GET http://${host}:${port}/ HTTP/1.1\r\nProxy-Authorization: Basic ${who}\r\n\r\n`));
  };
  test("a rule forbids it", async () => {
    await open(() => "deny");
    expect(await fetched("127.0.0.1")).toContain("does not let code reach 127.0.0.1: a rule forbids it");
    expect(visits).toEqual([]);
    expect(gate.take().refused.map(({ host }) => host)).toEqual(["127.0.0.1"]);
  });
  test("nobody is there to be asked", async () => {
    await open(() => "ask");
    expect(await fetched("127.0.0.1")).toContain("nobody is here to allow it");
  });
  test("the person is asked, once for a port of this machine by its name", async () => {
    await open(
      () => "ask",
      async ({ host, port: at }) => {
        asked.push(`${host}:${at}`);
        return "once";
      },
    );
    expect(await fetched("localhost")).toContain("reached");
    expect(asked).toEqual([`localhost:${port}`]);
  });
  test("the person does not want it", async () => {
    await open(
      () => "ask",
      async () => "no",
    );
    expect(await fetched("localhost")).toContain("it was not allowed");
    expect(visits).toEqual([]);
  });
});

test("it is found on this machine alone, and not any more when it is closed", async () => {
  await open(() => "allow");
  expect(gate.port).toBeGreaterThan(1023);
  gate.close();
  const refused = new Promise((done) => connect(gate.port, "127.0.0.1").once("error", done));
  expect(String(await refused)).toContain("ECONNREFUSED");
});
