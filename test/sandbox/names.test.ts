// A name that is allowed and leads somewhere else: to this machine, or to where clouds hand out keys. Names are real ones of the
// system, in a file of hosts that only the program sees.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bin, type Finished, finish, Place } from "../support/program.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { run, scriptedModel } from "../support/scripted-model.ts";

const why = whyNoLayer();
let visits: string[] = [];
let port: number;
const web = createServer((request, response) => {
  visits.push(`${request.headers.host}${request.url}`);
  response.end("reached");
});
beforeAll(async () => {
  await new Promise<void>((ready) => web.listen(0, "127.0.0.1", ready));
  port = (web.address() as AddressInfo).port;
});
afterAll(() => void web.close());
beforeEach(() => {
  visits = [];
});

const hosts = `127.0.0.1 localhost
127.0.0.1 here.example.test
203.0.113.9 both.example.test
127.0.0.1 both.example.test
169.254.169.254 keys.example.test
::ffff:127.0.0.1 mapped.example.test
`;

/** What came of a block that asks for a page there. */
async function fetched(name: string, args: readonly string[]): Promise<Finished> {
  const code = `import urllib.request, urllib.error
try: print(urllib.request.urlopen("http://${name}:${port}/x", timeout=10).read())
except urllib.error.HTTPError as error: print("refused:", error.code, error.read().decode())
except OSError as error: print("failed:", error)`;
  await using model = await scriptedModel([run("python", code), "Done."]);
  using place = new Place();
  const file = join(place.folder, "hosts");
  writeFileSync(file, hosts);
  const script = 'mount --bind "$1" /etc/hosts && shift && exec "$@"';
  const program = [process.execPath, bin, "-y", "--model", "openai-chat/scripted", "--api_base", model.openai];
  const child = spawn("unshare", ["-Urm", "sh", "-c", script, "sh", file, ...program, ...args, "go"], {
    cwd: place.folder,
    env: place.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return await finish(child);
}

describe.skipIf(why)(`a name that is allowed${why && ` (${why})`}`, () => {
  const walls = ["--sandbox", "workspace"];
  test("leads to this machine where there are no walls: so the names are real", async () => {
    expect((await fetched("here.example.test", ["--sandbox", "off"])).stdout).toContain("reached");
    expect(visits).toEqual([`here.example.test:${port}/x`]);
  });
  test.each(["here", "mapped", "both"])("and leads to this machine (%s) is not a way there", async (name) => {
    const host = `${name}.example.test`;
    const { stdout } = await fetched(host, [...walls, "--allow_host", host]);
    expect(stdout).toContain(`refused: 403 The sandbox does not let code reach ${host}: nobody is here to allow it.`);
    expect(visits).toEqual([]);
  });
  test("nor when every host is allowed, or this port of this machine", async () => {
    const allowed = ["--allow_host", "*", "--allow_host", `localhost:${port}`];
    const { stdout } = await fetched("here.example.test", [...walls, ...allowed]);
    expect(stdout).toContain("refused: 403 The sandbox does not let code reach here.example.test");
    expect(visits).toEqual([]);
  });
  test("and leads to where clouds hand out keys is forbidden", async () => {
    const host = "keys.example.test";
    const { stdout } = await fetched(host, [...walls, "--allow_host", host, "--allow_host", "*"]);
    expect(stdout).toContain(`refused: 403 The sandbox does not let code reach ${host}: at such addresses clouds`);
  });
});
