// Hosts in rules: however one is written, it is the same host; and which are never reached without their being named.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRules, places } from "../../src/settings/index.ts";

const folder = mkdtempSync(join(tmpdir(), "rules-hosts-test-"));

async function judge(allow: string[], host: string, port?: number, addresses?: string[]) {
  const { loadRules } = await openRules();
  const rules = await loadRules(places({ INTERPRETER_HOME: folder }), {
    cwd: folder,
    env: {},
    choices: { allowHost: allow },
  });
  return rules.judge({ kind: "host", host, port, ...(addresses && { addresses }) });
}

test.each<[pattern: string, host: string, port?: number]>([
  ["example.org", "example.org"],
  ["example.org", "EXAMPLE.ORG"],
  ["example.org", "example.org."],
  ["Example.org.", "example.org", 443],
  ["example.org:443", "example.org", 443],
  ["*.example.org", "docs.example.org"],
  ["*.example.org", "a.b.example.org."],
  ["bücher.example", "xn--bcher-kva.example"],
  ["xn--bcher-kva.example", "BÜCHER.example"],
  ["127.0.0.1", "0x7f.1"],
  ["127.0.0.1", "2130706433"],
  ["127.0.0.1", "0177.0.0.1"],
  ["127.0.0.1", "127.1"],
  ["0x7f.1", "127.0.0.1"],
  ["127.0.0.1", "::ffff:127.0.0.1"],
  ["127.0.0.1", "::ffff:7f00:1"],
  ["127.0.0.1", "[::FFFF:7F00:1]"],
  ["127.0.0.0/8", "127.9.9.9"],
  ["fd12::/16", "fd12:0:0:0:0:0:0:1"],
  ["[fd12::1]:8080", "fd12:0::1", 8080],
  ["::1", "0:0:0:0:0:0:0:1"],
  ["*", "example.org"],
  ["*", "93.184.216.34"],
  ["localhost:8000", "localhost", 8000],
])("%s allows %s %s", async (pattern, host, port) => {
  expect((await judge([pattern], host, port)).verdict).toBe("allow");
});

test.each<[pattern: string, host: string, port?: number]>([
  ["example.org", "notexample.org"],
  ["example.org", "example.org.evil.example"],
  ["example.org", "docs.example.org"],
  ["*.example.org", "example.org"],
  ["*.example.org", "notexample.org"],
  ["*.example.org", "evil.example"],
  ["example.org:443", "example.org", 22],
  ["example.org:443", "example.org"],
  ["10.0.0.0/8", "11.0.0.1"],
  ["example.org", "exаmple.org"], // a letter of another alphabet
  ["*", "localhost"],
  ["*", "127.0.0.1"],
  ["*", "0.0.0.0"],
  ["*", "0"],
  ["*", "::"],
  ["*", "10.1.2.3"],
  ["*", "0xa.1"],
  ["*", "192.168.1.1"],
  ["*", "64:ff9b::10.0.0.1"],
  ["*", "2002:a00:1::"],
  ["*", "fd12::1"],
  ["*", "printer"],
  ["*", "printer.local"],
  ["localhost:8000", "localhost", 8001],
])("%s does not allow %s %s", async (pattern, host, port) => {
  expect((await judge([pattern], host, port)).verdict).toBe("ask");
});

test.each([
  "169.254.169.254",
  "0xa9fea9fe",
  "2852039166",
  "169.254.43518",
  "::ffff:169.254.169.254",
  "[::ffff:a9fe:a9fe]",
  "64:ff9b::a9fe:a9fe",
  "2002:a9fe:a9fe::1",
  "fd00:ec2::254",
  "fe80::1%eth0",
  "metadata.google.internal.",
])("%s is denied, whatever else is allowed", async (host) => {
  expect(await judge(["*", "*.internal"], host, 80)).toEqual({
    verdict: "deny",
    because: "at such addresses clouds hand out keys to whoever asks; only a rule with the address itself allows one",
  });
});

test("a rule with the address itself, or its network, allows it", async () => {
  expect((await judge(["169.254.169.254"], "0xa9fea9fe")).verdict).toBe("allow");
  expect((await judge(["169.254.0.0/16"], "169.254.1.1")).verdict).toBe("allow");
});

test.each([
  "",
  "a b",
  "exa%6dple.org",
  "a..b",
  "example.org/x",
  "user@example.org",
  "1.2.3.4.5",
  "a\0b",
  "[::1",
  "::g",
  "x".repeat(64),
])("%j is no host, and is denied", async (host) => {
  expect(await judge(["*"], host)).toEqual({ verdict: "deny", because: `${JSON.stringify(host)} is no host` });
});

test("a name counts by where it leads, when that is known", async () => {
  expect((await judge(["docs.example.org"], "docs.example.org", 443, ["93.184.216.34"])).verdict).toBe("allow");
  expect((await judge(["docs.example.org"], "docs.example.org", 443, ["10.0.0.7"])).verdict).toBe("allow");
  expect((await judge(["*"], "docs.example.org", 443, ["10.0.0.7"])).verdict).toBe("ask");
  expect((await judge(["docs.example.org"], "docs.example.org", 443, ["127.0.0.1"])).verdict).toBe("ask");
  expect((await judge(["docs.example.org"], "docs.example.org", 80, ["169.254.169.254"])).verdict).toBe("deny");
});

test("places that are not public say so", async () => {
  expect((await judge([], "10.0.0.1")).because).toBe("it is in a private network, and no rule allows it");
  expect((await judge([], "localhost", 8000)).because).toBe("it is a port of this machine, and no rule allows it");
});
