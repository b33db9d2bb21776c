// Walls where namespaces are refused: what Landlock is told, what is said of it, and that sessions live in it as elsewhere.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filterFor } from "../../src/machine/sandbox/landlock/filter.ts";
import { launcherFor } from "../../src/machine/sandbox/landlock/launcher.ts";
import { handledBy, reading, rights, writing } from "../../src/machine/sandbox/landlock/rights.ts";
import { closedFolders, rulesFor } from "../../src/machine/sandbox/landlock/rules.ts";
import type { Walls } from "../../src/machine/sandbox/walls.ts";
import { lastingPlace } from "../support/lasting-folder.ts";
import { python } from "../support/protected-folder.ts";
import { whyNoLandlock, withoutNamespaces } from "../support/without-namespaces.ts";
import type { Told } from "./landlock-scenario.ts";

const why = whyNoLandlock();
let base: string;
const at = (name: string): string => join(base, name);

beforeAll(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), "landlock-"));
  for (const folder of [
    "home/.ssh",
    "home/docs",
    "home/.config/gh",
    "home/.config/other",
    "work/.git/hooks",
    "work/src",
  ])
    mkdirSync(at(folder), { recursive: true });
  writeFileSync(at("home/notes"), "");
  symlinkSync(at("home/.ssh"), at("home/leads-there"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const walls = (more: Partial<Walls>): Walls => ({
  level: "workspace",
  writable: [],
  hidden: [at("home/.ssh"), at("home/.config/gh")],
  shown: [],
  fixed: [],
  pinned: [],
  network: true,
  ...more,
});

/** What is granted at a place itself or around it. */
function grantedAt(path: string, request: Parameters<typeof rulesFor>[0]): number {
  return rulesFor(request)
    .filter((rule) => rule.path === "/" || path === rule.path || path.startsWith(`${rule.path}/`))
    .reduce((all, rule) => all | rule.rights, 0);
}

describe.skipIf(process.platform !== "linux")("what Landlock is told", () => {
  test("everything but secrets is read, and only names of those are seen", () => {
    const request = { walls: walls({}), roots: [at("work")], temporary: [] };
    for (const open of ["home/docs", "home/notes", "home/.config/other", "work/src"])
      expect(grantedAt(at(open), request) & rights.readFile, open).toBeTruthy();
    for (const hidden of ["home/.ssh", "home/.ssh/key", "home/.config/gh"])
      expect(grantedAt(at(hidden), request), hidden).toBe(rights.list);
  });

  test("nothing leads to a secret by another name", () => {
    const request = { walls: walls({}), roots: [at("work")], temporary: [] };
    expect(rulesFor(request).map(({ path }) => path)).not.toContain(at("home/leads-there"));
  });

  test("with strict, not even names", () => {
    const request = { walls: walls({ level: "strict", hidden: [at("home")] }), roots: [at("work")], temporary: [] };
    expect(grantedAt(at("home/docs"), request)).toBe(0);
    expect(grantedAt(at("work/src"), request)).toBe(reading | writing);
  });

  test("devices are few, and none of them is a disk", () => {
    const rules = rulesFor({ walls: walls({}), roots: [at("work")], temporary: [] });
    const devices = rules.filter(({ path }) => path.startsWith("/dev")).map(({ path }) => path);
    expect(devices).toEqual(expect.arrayContaining(["/dev/null", "/dev/urandom", "/dev/shm"]));
    expect(devices.filter((path) => /\/(vd|sd|nvme|mem|kmsg|pts|fuse|kvm)/.test(path))).toEqual([]);
  });

  test("hooks do not close the folder around them; what is hidden or ours does, and it is said", () => {
    const fixed = [at("work/.git/hooks")];
    const plain = { walls: walls({ fixed }), roots: [at("work")], temporary: [] };
    expect(grantedAt(at("work/new"), plain) & rights.makeFile).toBeTruthy();
    expect(closedFolders(plain)).toEqual([]);
    const atHome = { walls: walls({ fixed }), roots: [at("home")], temporary: [] };
    expect(grantedAt(at("home/new"), atHome) & rights.makeFile).toBeFalsy();
    expect(grantedAt(at("home/docs/new"), atHome) & rights.makeFile).toBeTruthy();
    expect(closedFolders(atHome)).toEqual([{ folder: at("home"), because: at("home/.ssh") }]);
  });

  test("a folder inside of ours may be opened by name", () => {
    const ours = { fixed: [at("home")], writable: [at("home/docs")] };
    const request = { walls: walls(ours), roots: [at("work")], temporary: [] };
    expect(grantedAt(at("home/docs/x"), request) & rights.writeFile).toBeTruthy();
    expect(grantedAt(at("home/notes"), request) & rights.writeFile).toBeFalsy();
  });

  test("an older kernel is not asked for what it does not know", () => {
    expect([1, 2, 3, 4, 5, 7].map((version) => handledBy(version).toString(2).length)).toEqual([
      13, 14, 15, 15, 16, 16,
    ]);
  });

  test("the filter is one for each processor, and ends with a verdict", () => {
    for (const processor of ["x64", "arm64"] as const)
      for (const more of [true, false]) {
        const filter = filterFor({ processor, network: more, knowsCutting: more, knowsSignals: more });
        const codes = Array.from({ length: filter.length / 8 }, (_, index) => filter.readUInt16LE(index * 8));
        expect(codes.at(-1)).toBe(0x06);
        // Every jump stays within.
        for (const [index, code] of codes.entries())
          if ((code & 0x07) === 0x05)
            for (const jump of [filter[index * 8 + 2]!, filter[index * 8 + 3]!])
              expect(index + 1 + jump).toBeLessThan(codes.length);
      }
  });
});

/** What a scenario says that is run where namespaces are refused. */
function said(words: readonly string[], prefix: readonly string[] = []): Told {
  const hooks = join(import.meta.dirname, "../sandbox/text-imports.mjs");
  const scenario = join(import.meta.dirname, "landlock-scenario.ts");
  const node = [process.execPath, "--disable-warning=ExperimentalWarning", "--import", hooks, scenario];
  const [command, ...args] = [...withoutNamespaces, ...prefix, ...node, lastingPlace!, python, ...words];
  const { stdout, stderr } = spawnSync(command!, args, { encoding: "utf8", cwd: "/", timeout: 100_000 });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Told;
}

/** Says of each thing that it tries whether it could. */
const trying = `
import ctypes, os, signal, socket, subprocess, sys, time
host, outside, inside = int(sys.argv[1]), sys.argv[2], sys.argv[3]
def tried(name, action):
    try: action(); print(name, 'yes')
    except OSError as e: print(name, 'no')
mine = subprocess.Popen(['sleep', '60'], start_new_session=True)
tried('signal to others', lambda: os.kill(host, 0))
tried('signal to a group of others', lambda: os.killpg(os.getpgid(host), 0))
tried('signal to all', lambda: os.kill(-1, 0))
def owned():
    import fcntl
    fcntl.fcntl(socket.socketpair()[0], fcntl.F_SETOWN, host)
tried('signal by a socket', owned)
tried('signal to itself', lambda: os.kill(os.getpid(), 0))
tried('signal to its own', lambda: os.kill(mine.pid, 0))
tried('signal to a group of its own', lambda: os.killpg(mine.pid, signal.SIGKILL))
tried('cutting off', lambda: os.truncate(outside, 0))
tried('cutting off by opening', lambda: os.close(os.open(outside, os.O_RDONLY | os.O_TRUNC)))
tried('writing', lambda: open(outside, 'a').close())
tried('permissions', lambda: os.chmod(outside, 0o777))
tried('reading', lambda: open(outside).read())
tried('cutting off its own', lambda: open(inside, 'w').truncate(0))
tried('moving its own', lambda: os.rename(inside, inside + '2'))
tried('a file for nothing', lambda: os.open('/dev/null', 3))
`;

describe.skipIf(why)(`with every version of Landlock${why && ` (skipped: ${why})`}`, () => {
  for (const version of [1, 2, 3, 5, 6])
    test(String(version), () => {
      const [inside, outside] = [at(`work/own-${version}`), at("home/notes")];
      writeFileSync(outside, "kept");
      writeFileSync(inside, "mine");
      const rules = rulesFor({ walls: walls({}), roots: [at("work")], temporary: [] });
      const [command, ...args] = launcherFor("/usr/bin/perl", version).words(rules, true);
      const words = [...args, python, "-c", trying, String(process.pid), outside, inside];
      const { stdout, stderr } = spawnSync(command, words, { encoding: "utf8", timeout: 30_000 });
      // The kernel itself sends these to its own only, where it knows how.
      const reachOwn = version >= 6 ? ["signal to all", "signal by a socket"] : [];
      const could = stdout.split("\n").flatMap((line) => (line.endsWith(" yes") ? [line.slice(0, -4)] : []));
      expect(could, stderr).toEqual([
        ...reachOwn,
        "signal to itself",
        "signal to its own",
        "signal to a group of its own",
        "reading",
        "cutting off its own",
        "moving its own",
      ]);
      expect(readFileSync(outside, "utf8")).toBe("kept");
    });
});

describe.skipIf(why)(`where namespaces are refused${why && ` (skipped: ${why})`}`, () => {
  let told: Told;
  beforeAll(() => {
    told = said([]);
  }, 120_000);

  test("it is said that Landlock holds code back, and why", () => {
    expect(told.kind).toBe("checkpoint");
    expect(told.openBecause).toBeUndefined();
    expect(told.news.join("\n")).toMatch(/^Code is held back by Landlock, .* Namespaces are not allowed here: .*\./);
  });

  test("it is said where nothing new can be made", () => {
    expect(told.homeNews.join("\n")).toMatch(/Code can make nothing new right in \S+\/home, because \S+\/\.ssh is not/);
  });

  test("what is refused is told with how to allow it; that holds for sessions that are started later", () => {
    expect(told.refused).toContain("Permission denied");
    expect(told.refused).toContain("The sandbox does not let code write");
    expect(told.allowed).toContain("sessions that run keep the walls they were started with");
    expect(told.afterwards).toContain("written");
  });

  test("processes that have left their group and their parent count as the session's", () => {
    expect(told.orphans).toContain("started more than 1000 processes, so it was ended with all that it had started");
  });

  test("programs inside speak with each other, by sockets of every kind", () => {
    expect(told.sockets.match(/hello/g)).toHaveLength(3);
    expect(told.forkserver).toContain("[1, 2]");
  });

  test("without Landlock, both reasons are said", () => {
    const { openBecause, news } = said(["news"], ["--without-landlock"]);
    expect(openBecause).toMatch(/^Namespaces are not allowed here: .*\. The kernel has no Landlock \(.*\)\.$/);
    expect(news).toEqual([]);
  });
});
