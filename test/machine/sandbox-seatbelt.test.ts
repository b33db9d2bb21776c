// The walls on macOS, as the text that they are: every wall has its line, in the right order, whatever names are like.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openWatch } from "../../src/machine/checkpoint/index.ts";
import type { Protection } from "../../src/machine/effects/protection.ts";
import type { SandboxRequest } from "../../src/machine/sandbox/open.ts";
import { type Mac, openSeatbelt, raiseSeatbelt } from "../../src/machine/sandbox/seatbelt/open.ts";
import { caseless, quoted } from "../../src/machine/sandbox/seatbelt/text.ts";
import { allows, readForms } from "../support/sbpl.ts";

let base: string;
let home: string;
let work: string;
let mac: Mac;
const opened: Protection[] = [];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "seatbelt-test-")));
  [home, work] = [join(base, "Users", "ada"), join(base, "Users", "ada", "work")];
  for (const folder of [work, join(base, "tmp"), join(home, "Library/Caches"), join(home, ".oi/undo")])
    mkdirSync(folder, { recursive: true });
  mac = { program: "/usr/bin/sandbox-exec", temporary: [join(base, "tmp")] };
});
afterEach(async () => {
  for (const protection of opened.splice(0)) await protection.close();
  rmSync(base, { recursive: true, force: true });
});

const request = (more: Partial<SandboxRequest> = {}): SandboxRequest => ({
  level: "workspace",
  env: { PATH: "/usr/bin:/bin", HOME: home },
  home,
  config: join(home, ".oi"),
  data: join(home, ".oi"),
  ours: ["/usr/local/lib/ours"],
  allowWrite: [],
  allowRead: [],
  denyRead: [],
  judge: () => "deny",
  ...more,
});

async function raised(more: Partial<SandboxRequest> = {}, roots: readonly string[] = [work]) {
  const walled = await raiseSeatbelt(openWatch({ roots, why: "" }), request(more), mac);
  opened.push(walled);
  const started = () => walled.enter({ command: "python3", args: ["-c", "1"], cwd: work, env: { A: "b" } });
  const profile = () => started().args[1]!;
  const may = (operation: string, path: string) => allows(profile(), { operation, path });
  return { walled, sandbox: walled.sandbox, started, profile, may, own: walled.sandbox.env.TMPDIR! };
}

describe("files", () => {
  test("are written in the workspace, in temporary folders and caches, and nowhere else", async () => {
    const { may, own } = await raised();
    const write = (path: string) => may("file-write-data", path) && may("file-write-create", path);
    for (const path of [
      work,
      join(work, "a/b"),
      join(base, "tmp/x"),
      join(own, "x"),
      join(home, "Library/Caches/pip/x"),
    ])
      expect(write(path), path).toBe(true);
    for (const path of ["/etc/hosts", "/", home, join(home, "notes"), `${work}er`, join(base, "x"), "/usr/local/bin/x"])
      expect(write(path), path).toBe(false);
  });
  test("of the person's secrets, none is read, moved or replaced, however its name is spelled", async () => {
    const { may } = await raised({}, [home]);
    const secrets = [".ssh/id", ".netrc", "Library/Keychains/login", "Library/Cookies/x", "Library/Safari/History.db"];
    for (const name of [
      ...secrets,
      ".aws/credentials",
      ".oi/keys.json",
      "Library/Application Support/Google/Chrome/x",
    ]) {
      const paths = [join(home, name), join(home, name.toUpperCase()), `/System/Volumes/Data${join(home, name)}`];
      for (const path of paths)
        for (const operation of ["file-read-data", "file-read-metadata", "file-write-unlink", "file-write-create"])
          expect(may(operation, path), `${operation} ${path}`).toBe(false);
    }
    expect(may("file-read-data", join(home, "notes"))).toBe(true);
    expect(may("file-write-data", join(home, "notes"))).toBe(true);
    expect(may("file-read-data", "/etc/hosts")).toBe(true);
  });
  test("a folder around something that stays keeps its name", async () => {
    const { may } = await raised({}, [home]);
    for (const name of ["", ".config", "Library", "Library/Application Support", "Library/Application Support/Google"])
      expect(may("file-write-unlink", join(home, name)), name).toBe(false);
    expect(may("file-write-unlink", join(home, "work"))).toBe(true);
  });
  test("start files and hooks stay as they are, also those that are not there yet", async () => {
    const { may } = await raised({}, [home, work]);
    for (const name of [
      ".zshrc",
      ".ZSHENV",
      ".bash_profile",
      "Library/LaunchAgents/x.plist",
      ".gitconfig",
      ".local/bin/x",
    ])
      expect(may("file-write-create", join(home, name)), name).toBe(false);
    expect(may("file-write-create", join(home, ".git/hooks/pre-commit"))).toBe(false);
    expect(may("file-read-data", join(home, ".zshrc"))).toBe(true);
  });
  test("of our own, only what is named is written", async () => {
    const state = join(home, ".oi/conversations/one/state");
    mkdirSync(state, { recursive: true });
    const { may } = await raised({ allowWrite: [state] }, [home]);
    expect(may("file-write-data", join(state, "x"))).toBe(true);
    expect(may("file-write-data", join(home, ".oi/rules.yaml"))).toBe(false);
    expect(may("file-write-unlink", join(home, ".oi/conversations"))).toBe(false);
  });
  test("of what the person allows, that is allowed and nothing beside it", async () => {
    mkdirSync(join(home, ".ssh"));
    writeFileSync(join(home, ".ssh/config"), "");
    const desktop = join(home, "Desktop");
    mkdirSync(desktop);
    const { may } = await raised({ allowWrite: [desktop], allowRead: [join(home, ".ssh/config")] });
    expect(may("file-write-create", join(desktop, "x"))).toBe(true);
    expect(may("file-read-data", join(home, ".ssh/config"))).toBe(true);
    expect(may("file-read-data", join(home, ".ssh/id"))).toBe(false);
    expect(may("file-write-data", join(home, ".ssh/config"))).toBe(false);
  });
  test("with strict, nothing of the home folder is seen but the workspace, and the way there", async () => {
    const { may } = await raised({ level: "strict" });
    for (const path of [join(home, "notes"), join(home, "Library/Caches/x"), "/Users/bob/x", "/Volumes/disk/x"])
      expect(may("file-read-data", path), path).toBe(false);
    for (const path of [join(work, "x"), "/usr/lib/x", join(base, "tmp/x")])
      expect(may("file-read-data", path), path).toBe(true);
    expect(may("file-read-metadata", home)).toBe(true);
    expect(may("file-read-data", home)).toBe(false);
    expect(may("file-write-data", join(home, "Library/Caches/x"))).toBe(false);
  });
  test("with strict, secrets in the workspace stay hidden", async () => {
    const { may } = await raised({ level: "strict" }, [home]);
    expect(may("file-read-data", join(home, "notes"))).toBe(true);
    expect(may("file-read-data", join(home, ".ssh/id"))).toBe(false);
  });
  test("terminals of others are neither read nor written", async () => {
    const { may } = await raised();
    expect(may("file-read-data", "/dev/ttys004")).toBe(false);
    expect(may("file-write-data", "/dev/ttys004")).toBe(false);
    expect(may("file-write-data", "/dev/disk0")).toBe(false);
    expect(may("file-write-data", "/dev/null")).toBe(true);
    expect(may("file-read-data", "/dev/urandom")).toBe(true);
  });
});

describe("the network", () => {
  const reaches = (profile: string, remote: string) => allows(profile, { operation: "network-outbound", remote });
  test("is our proxy, and what the person allows", async () => {
    const { profile, sandbox } = await raised();
    const { port } = new URL(sandbox.env.http_proxy!);
    expect(reaches(profile(), `localhost:${port}`)).toBe(true);
    for (const place of ["localhost:22", "localhost:5432", "example.org:443", "*:80"])
      expect(reaches(profile(), place), place).toBe(false);
    expect(await sandbox.allowPort(5432)).toBeUndefined();
    expect(reaches(profile(), "localhost:5432")).toBe(true);
    expect(reaches(profile(), "localhost:54321")).toBe(false);
  });
  test("with strict there is none at all", async () => {
    const { profile, sandbox } = await raised({ level: "strict" });
    expect(profile()).not.toMatch(/remote ip|local ip/);
    expect(Object.keys(sandbox.env)).not.toContain("HTTP_PROXY");
    expect(await sandbox.allowPort(5432)).toBe("There is no network at this level.");
  });
  test("code listens on this machine only, and has sockets where nobody else has", async () => {
    const { profile, own } = await raised();
    const may = (operation: string, place: { local?: string; remote?: string }) =>
      allows(profile(), { operation, ...place });
    expect(may("network-bind", { local: "localhost:8000" })).toBe(true);
    expect(may("network-bind", { local: "*:8000" })).toBe(false);
    expect(may("network-outbound", { remote: join(own, "listener") })).toBe(true);
    expect(may("network-outbound", { remote: join(base, "tmp/com.apple.launchd.x/Listeners") })).toBe(false);
    expect(may("network-outbound", { remote: "/private/var/run/mDNSResponder" })).toBe(false);
    expect(may("network-outbound", { remote: "/var/run/docker.sock" })).toBe(false);
  });
});

describe("the system", () => {
  test("nothing that starts programs, sends events or keeps passwords is spoken with", async () => {
    const { profile } = await raised();
    const speaks = (name: string) => allows(profile(), { operation: "mach-lookup", name });
    for (const name of [
      "com.apple.coreservices.launchservicesd",
      "com.apple.coreservices.appleevents",
      "com.apple.SecurityServer",
      "com.apple.securityd.xpc",
      "com.apple.pasteboard.1",
      "com.apple.tccd",
      "com.apple.trustd.agent",
      "com.apple.xpc.smd",
    ])
      expect(speaks(name), name).toBe(false);
    expect(speaks("com.apple.system.opendirectoryd.libinfo")).toBe(true);
    for (const operation of ["appleevent-send", "job-creation", "lsopen", "mach-register", "system-privilege"])
      expect(allows(profile(), { operation }), operation).toBe(false);
  });
  test("other processes are neither looked into nor signalled", async () => {
    const { profile } = await raised();
    expect(profile()).toContain("(allow signal (target same-sandbox))");
    expect(profile()).toContain("(allow process-info* (target same-sandbox))");
    expect(profile()).not.toMatch(/\(allow (signal|process-info\*)\)/);
    expect(allows(profile(), { operation: "sysctl-read", name: "kern.procargs2.123" })).toBe(false);
    expect(allows(profile(), { operation: "sysctl-read", name: "hw.ncpu" })).toBe(true);
    expect(allows(profile(), { operation: "ipc-posix-shm", name: "/psm_12ab" })).toBe(true);
    expect(allows(profile(), { operation: "ipc-posix-shm", name: "/somebody" })).toBe(false);
  });
  test("it begins with what is forbidden, and every line is whole", async () => {
    const { profile } = await raised();
    expect(readForms(profile()).slice(0, 2)).toEqual([
      ["version", "1"],
      ["deny", "default"],
    ]);
    expect(readForms(profile()).every((form) => Array.isArray(form))).toBe(true);
  });
});

describe("names", () => {
  const odd = [
    'a "quoted" name',
    "back\\slash",
    "new\nline",
    '")) (allow default) ((',
    "Übersicht — 表",
    "(paren) [b] $x ^",
  ];
  test.each(odd)("a workspace called %j is open, and opens nothing else", async (name) => {
    const strange = join(base, name);
    mkdirSync(strange);
    const { may, profile } = await raised({}, [strange]);
    expect(may("file-write-data", join(strange, "x"))).toBe(true);
    expect(may("file-write-data", join(base, "other"))).toBe(false);
    expect(readForms(profile()).filter((form) => Array.isArray(form) && form[1] === "default")).toEqual([
      ["deny", "default"],
    ]);
  });
  test.each(odd)("what is denied and called %j stays hidden", async (name) => {
    const strange = join(base, name);
    const { may } = await raised({ denyRead: [strange] });
    expect(may("file-read-data", join(strange, "x"))).toBe(false);
    expect(may("file-read-data", join(base, "other"))).toBe(true);
  });
  test("as texts and as patterns", () => {
    expect(quoted('a"b\\c\nd\u0007')).toBe('"a\\"b\\\\c\\nd\\x07"');
    expect(new RegExp(caseless("/a/.B c")).test("/A/.b C/d")).toBe(true);
    expect(new RegExp(caseless("/a/.B c")).test("/a/xB c")).toBe(false);
    expect(new RegExp(caseless("/a/b")).test("/a/bc")).toBe(false);
    expect(caseless('/x"y\\z')).not.toMatch(/["\\]/);
  });
});

describe("processes", () => {
  test("are started behind it, with a way out that only they know", async () => {
    const { started, own, profile } = await raised();
    const { command, args, cwd, env } = started();
    expect([command, args[0], ...args.slice(2), cwd]).toEqual([
      "/usr/bin/sandbox-exec",
      "-p",
      "python3",
      "-c",
      "1",
      work,
    ]);
    expect(env).toMatchObject({
      A: "b",
      TMPDIR: own,
      NO_PROXY: "",
      MPLCONFIGDIR: join(home, "Library/Caches/matplotlib"),
    });
    const { password } = new URL(env.HTTPS_PROXY!);
    expect(password).not.toBe("");
    expect(profile()).not.toContain(password);
  });
  test("what is allowed later holds for those that are started later, for as long as it is allowed", async () => {
    const { sandbox, may } = await raised();
    const desktop = join(home, "Desktop");
    mkdirSync(desktop);
    expect(await sandbox.allowWrite(desktop)).toBe(
      "sessions that run keep the walls they were started with, and %restart starts one anew",
    );
    expect(may("file-write-data", join(desktop, "x"))).toBe(true);
    await sandbox.takeBack("write", desktop);
    expect(may("file-write-data", join(desktop, "x"))).toBe(false);
    await sandbox.allowRead(join(home, ".ssh"));
    expect(may("file-read-data", join(home, ".ssh/id"))).toBe(true);
    await sandbox.takeBack("read", join(home, ".ssh"));
    expect(may("file-read-data", join(home, ".ssh/id"))).toBe(false);
  });
  test("what they say of a refusal is understood", async () => {
    const { sandbox } = await raised();
    const told = sandbox.refusalsIn(
      [
        `PermissionError: [Errno 1] Operation not permitted: '${join(home, "new.txt")}'`,
        `cat: ${join(home, ".ssh/id")}: Operation not permitted`,
        `touch: ${join(work, "x")}: Operation not permitted`,
        "kill: (12) - Operation not permitted",
      ].join("\n"),
      { language: "shell", code: "", cwd: work },
    );
    expect(told.map(({ kind, path, allow }) => ({ kind, path, allow }))).toEqual([
      { kind: "write", path: join(home, "new.txt"), allow: home },
      { kind: "read", path: join(home, ".ssh/id"), allow: join(home, ".ssh/id") },
    ]);
    expect(told[0]!.why).toContain(`/allow write ${home} for this conversation`);
  });
  test("its folder is gone afterwards, unless something was left there", async () => {
    const one = await raised();
    expect(existsSync(one.own)).toBe(true);
    await one.walled.close();
    expect(existsSync(one.own)).toBe(false);
    const other = await raised();
    writeFileSync(join(other.own, "result"), "");
    await other.walled.close();
    expect(readdirSync(other.own)).toEqual(["result"]);
  });
});

describe("walls are tried before anything relies on them", () => {
  const program = (text: string): string => {
    const path = join(base, "sandbox-exec");
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const tried = (path: string) =>
    openSeatbelt(openWatch({ roots: [work], why: "" }), request(), { ...mac, program: path });
  test("a program that puts up none is found out", async () => {
    const said = await tried(program('shift 2; exec "$@"'));
    expect(said).toBe("The walls of the sandbox cannot be put up: what was put up does not hold.");
    expect(readdirSync(home).filter((name) => name.startsWith(".walls"))).toEqual([]);
  });
  test("one that does not take the profile is told with its words", async () => {
    const said = await tried(program('echo "sandbox-exec: unbound variable: x" >&2; exit 65'));
    expect(said).toBe("The walls of the sandbox cannot be put up: sandbox-exec: unbound variable: x.");
  });
  test("one that is not there, too", async () => {
    expect(await tried(join(base, "nowhere"))).toMatch(/^The walls of the sandbox cannot be put up: .*ENOENT/);
  });
  test("nothing is left of it", async () => {
    await tried(join(base, "nowhere"));
    expect(readdirSync(join(base, "tmp"))).toEqual([]);
  });
});
