// What walls have refused, found in what programs of all kinds say of it; and nothing else is taken for a refusal.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unreachedIn } from "../../src/machine/sandbox/network/unreached.ts";
import { refusalsIn } from "../../src/machine/sandbox/refusals.ts";
import { followFolders } from "../../src/machine/sandbox/relative.ts";
import { wallsFor } from "../../src/machine/sandbox/walls.ts";

let base: string;
const at = (name: string): string => join(base, name);
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "refusals-test-")));
  for (const name of ["home/.ssh", "home/shop", "home/bin", "srv/my data"]) mkdirSync(at(name), { recursive: true });
  writeFileSync(at("home/.ssh/id"), "");
  writeFileSync(at("home/.netrc"), "");
  symlinkSync(at("srv"), at("home/shop/out"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const wallsOf = (level: "workspace" | "strict", roots = [at("home/shop")], more = {}) =>
  wallsFor({
    level,
    roots,
    home: at("home"),
    env: { PATH: `${at("home/bin")}:/usr/bin:/bin` },
    config: at("home/.oi"),
    data: at("home/.oi"),
    ours: [],
    ...more,
  });

const told = (line: string, level: "workspace" | "strict" = "workspace", roots = [at("home/shop")]) =>
  refusalsIn(line, { walls: wallsOf(level, roots), open: roots }).map(({ kind, path, allow }) => [kind, path, allow]);

test.each([
  ["bash", (path: string) => `/tmp/oi-x/block-1: line 3: ${path}: Read-only file system`],
  ["Python", (path: string) => `OSError: [Errno 30] Read-only file system: '${path}'`],
  ["Node", (path: string) => `Error: EROFS: read-only file system, open '${path}'`],
  ["coreutils", (path: string) => `touch: cannot touch '${path}': Read-only file system`],
  [
    "coreutils, with curled quotes",
    (path: string) => `cp: cannot create regular file ‘${path}’: Read-only file system`,
  ],
])("%s could not write", (_name, said) => {
  const path = at("srv/my data/new.csv");
  expect(told(said(path))).toEqual([["write", path, at("srv/my data")]]);
});

test.each(["No such file or directory", "Permission denied"])("a secret is not seen: %s", (words) => {
  expect(told(`cat: ${at("home/.ssh/id")}: ${words}`)).toEqual([["read", at("home/.ssh/id"), at("home/.ssh/id")]]);
  expect(told(`cat: ${at("home/.netrc")}: ${words}`)).toHaveLength(1);
});

test("a link in the workspace that leads out of it is what it leads to", () => {
  expect(told(`bash: ${at("home/shop/out/x")}: Read-only file system`)).toEqual([
    ["write", at("home/shop/out/x"), at("home/shop/out")],
  ]);
});

test("secrets are hidden also where the home folder is the workspace", () => {
  const line = `cat: ${at("home/.ssh/id")}: No such file or directory`;
  expect(told(line, "workspace", [at("home")])).toEqual([["read", at("home/.ssh/id"), at("home/.ssh/id")]]);
});

test.each([
  ["a file that is not there", () => `cat: ${"/no/such"}: No such file or directory`],
  ["one in the workspace", () => `cat: ${at("home/shop/gone")}: No such file or directory`],
  ["a relative name", () => "cat: gone/x: No such file or directory"],
  ["a file of others", () => "cat: /proc/1/mem: Permission denied"],
  ["no path at all", () => "mount: Read-only file system"],
])("%s is no refusal of ours", (_name, said) => {
  expect(told(said())).toEqual([]);
  expect(told(said(), "strict")).toEqual([]);
});

test("with strict, what is seen of a hidden folder is none, and the rest is", () => {
  const line = (path: string) => `cat: ${path}: No such file or directory`;
  expect(told(line(at("home/shop/gone")), "strict")).toEqual([]);
  expect(told(line(at("home/notes")), "strict")).toEqual([["read", at("home/notes"), at("home/notes")]]);
});

test("each is told once, and no more than five", () => {
  const lines = Array.from({ length: 20 }, (_, n) => `sh: ${at(`srv/${n % 8}`)}: Read-only file system`);
  expect(told(lines.join("\n"))).toHaveLength(5);
  expect(told(`${lines[0]}\n${lines[0]}`)).toHaveLength(1);
});

test("with strict, a folder for programs in the home folder does not show all that is beside it", () => {
  const { shown, hidden } = wallsOf("strict");
  expect(shown).toContain(at("home/bin"));
  expect(shown).not.toContain(at("home"));
  expect(hidden).toContain(at("home"));
});

test("what may be read of a hidden folder is shown, and the folder stays hidden", () => {
  const { shown, hidden } = wallsOf("workspace", undefined, { allowRead: [at("home/.ssh/id")] });
  expect(shown).toEqual([at("home/.ssh/id")]);
  expect(hidden).toContain(at("home/.ssh"));
  expect(wallsOf("workspace", undefined, { allowRead: [at("home/.ssh")] }).hidden).not.toContain(at("home/.ssh"));
});

/** As a block says it that began in the workspace. */
const toldOf = (code: string, line: string, more = {}) => {
  const roots = [at("home/shop")];
  const from = followFolders(at("home"))({ language: "shell", code, cwd: roots[0]! });
  const found = refusalsIn(line, { walls: wallsOf("workspace", roots, more), open: roots, from });
  return found.map(({ kind, path, allow }) => [kind, path, allow]);
};

test.each([
  ["bash", "/tmp/oi-x/block-1: line 1: ../rel.txt: Read-only file system"],
  ["bash by its own path", "/usr/bin/bash: line 1: ../rel.txt: Read-only file system"],
  ["zsh", "zsh: read-only file system: ../rel.txt"],
  ["Python", "OSError: [Errno 30] Read-only file system: '../rel.txt'"],
  ["Node", "Error: EROFS: read-only file system, open '../rel.txt'"],
  ["coreutils", "touch: cannot touch '../rel.txt': Read-only file system"],
])("a relative name is what it leads to from the working folder: %s", (_name, line) => {
  expect(toldOf("", line)).toEqual([["write", at("home/rel.txt"), at("home")]]);
});

test.each([
  ["a shell", () => `cd '${at("srv/my data")}' && echo z > here.txt`],
  ["a shell, in two steps, from home", () => "cd ~/../srv; cd my* || cd 'my data'\necho z > here.txt"],
  ["Python", () => `import os\nos.chdir("${at("srv/my data")}")`],
  ["Node", () => `process.chdir('${at("srv/my data")}')`],
])("or from where the block went: %s", (_name, code) => {
  const [first] = toldOf(code(), "bash: line 1: here.txt: Read-only file system");
  expect(first?.[1]).toMatch(/srv\/.*here\.txt$/);
});

test("a relative name of what must stay as it is, and of what a rule hides", () => {
  mkdirSync(at("home/shop/.git/hooks"), { recursive: true });
  writeFileSync(at("home/shop/.git/HEAD"), "");
  writeFileSync(at("home/shop/.git/hooks/pre-commit"), "");
  writeFileSync(at("home/shop/customers.csv"), "");
  const hook = "bash: line 1: .git/hooks/pre-commit: Read-only file system";
  expect(toldOf("", hook).map(([kind, path]) => [kind, path])).toEqual([
    ["write", at("home/shop/.git/hooks/pre-commit")],
  ]);
  const denied = "PermissionError: [Errno 13] Permission denied: 'customers.csv'";
  expect(toldOf("", denied, { denyRead: [at("home/shop/customers.csv")] })).toEqual([
    ["read", at("home/shop/customers.csv"), at("home/shop/customers.csv")],
  ]);
  expect(toldOf("", denied)).toEqual([]);
});

test.each([
  "cat: gone/x: No such file or directory",
  "cat: ../gone: No such file or directory",
  "mount: Read-only file system",
  "bash: line 1: here.txt: Read-only file system",
])("nothing is claimed that walls do not keep: %s", (line) => {
  expect(toldOf("", line)).toEqual([]);
});

test.each([
  "OSError: [Errno 101] Network is unreachable",
  "socket.gaierror: [Errno -3] Temporary failure in name resolution",
  "Error: getaddrinfo EAI_AGAIN db.example.org",
  'psql: error: could not translate host name "db.example.org" to address: Temporary failure in name resolution',
])("a program without a proxy: %s", (line) => {
  expect(unreachedIn(line, { code: "", network: true })).toEqual([expect.stringContaining("does not use the proxy")]);
  expect(unreachedIn(line, { code: "", network: false })).toEqual(["At --sandbox strict there is no network."]);
});

test("a refused connection is explained only with a port of this machine where somebody listens", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const said = (line: string, code = "") => unreachedIn(line, { code, network: true });
  const wanted = process.platform === "linux" ? [expect.stringContaining(`/allow host localhost:${port}`)] : [];
  expect(said(`curl: (7) Failed to connect to localhost port ${port} after 0 ms: Couldn't connect to server`)).toEqual(
    wanted,
  );
  expect(said(`Error: connect ECONNREFUSED 127.0.0.1:${port}`)).toEqual(wanted);
  const refused = "ConnectionRefusedError: [Errno 111] Connection refused";
  expect(said(refused, `requests.get("http://localhost:${port}/x")`)).toEqual(wanted);
  expect(said(refused, `connect(host="127.0.0.1", port=${port})`)).toEqual(wanted);
  expect(said(refused, `requests.get("http://example.org:${port}/x")`)).toEqual([]);
  expect(said("All went well.", `requests.get("http://localhost:${port}/x")`)).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
  expect(said(`Error: connect ECONNREFUSED 127.0.0.1:${port}`)).toEqual([]);
});
