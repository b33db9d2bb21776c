import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findTool } from "../../src/machine/find-tool.ts";
import { type Holder, startHolder } from "../../src/machine/layer/holder.ts";
import { carryOut, may, must, type Step } from "../../src/machine/sandbox/mounting.ts";

const holder = process.platform === "linux" ? await startHolder({ alone: true }) : "no Linux";
const why = typeof holder === "string" ? holder : undefined;
if (typeof holder === "object") holder.close();

/** Everything that walls are made of, once. */
const steps = (base: string): Step[] => {
  const at = (name: string): string => join(base, name);
  return [
    must({ do: "mount", type: "proc", at: "/proc" }),
    must({ do: "loopback", at: "lo" }),
    must({ do: "mount", type: "tmpfs", at: at("own"), flags: ["nosuid", "nodev"], data: "mode=1777,size=1m" }),
    must({ do: "folder", at: at("own/a/b c/it's") }),
    must({ do: "file", at: at("own/null") }),
    must({ do: "bind", from: "/dev/null", at: at("own/null") }),
    must({ do: "link", to: "a/b c", at: at("own/link") }),
    must({ do: "bind", from: at("own"), at: at("other"), deep: true }),
    must({ do: "close", at: at("other"), flags: ["nosuid", "nodev"] }),
    must({ do: "mount", type: "tmpfs", at: at("gone"), flags: ["ro"], data: "size=4k,mode=000" }),
    must({ do: "detach", at: at("gone") }),
    may({ do: "bind", from: at("missing"), at: at("own") }),
    { ...must({ do: "close", at: at("missing"), flags: [] }), otherwise: { do: "file", at: at("missing/not") } },
    {
      ...must({ do: "close", at: at("plain"), flags: [] }),
      otherwise: { do: "mount", type: "tmpfs", at: at("plain"), flags: ["ro"], data: "size=4k" },
    },
  ];
};

interface Seen {
  mounts: string[];
  loopback: boolean;
  folder: boolean;
}

async function carriedOut(perl: string | false): Promise<Seen> {
  const base = mkdtempSync(join(tmpdir(), "mounting-"));
  for (const name of ["own", "other", "gone", "plain"]) mkdirSync(join(base, name));
  writeFileSync(join(base, "plain/file"), "");
  const inside = (await startHolder({ alone: true })) as Holder;
  try {
    expect(await carryOut(inside, steps(base), perl)).toBeUndefined();
    const mounts = readFileSync(`/proc/${inside.pid}/mountinfo`, "utf8").trim().split("\n");
    return {
      // Without the numbers, which are others each time.
      mounts: mounts.map((line) => line.replace(/^\d+ \d+ \S+/, "").replaceAll(base, "BASE")),
      loopback: /127\.0\.0\.1/.test(readFileSync(`/proc/${inside.pid}/net/fib_trie`, "utf8")),
      folder: existsSync(`/proc/${inside.pid}/root${base}/own/link/it's`),
    };
  } finally {
    inside.close();
    rmSync(base, { recursive: true, force: true });
  }
}

test.skipIf(why)("a shell puts up what is asked for", async () => {
  const { mounts, loopback, folder } = await carriedOut(false);
  expect({ loopback, folder }).toEqual({ loopback: true, folder: true });
  const places = mounts.filter((line) => line.includes("BASE"));
  expect(places.filter((line) => / BASE\/other ro,nosuid,nodev\b/.test(line))).toHaveLength(1);
  expect(places.filter((line) => / BASE\/plain ro\b.* tmpfs /.test(line))).toHaveLength(1);
  expect(places.filter((line) => / BASE\/own\/null /.test(line))).toHaveLength(1);
  expect(places.some((line) => line.includes("BASE/gone"))).toBe(false);
});

test.skipIf(why ?? !findTool("perl"))("and one program of Perl puts up the same", async () => {
  expect(await carriedOut(findTool("perl")!)).toEqual(await carriedOut(false));
});

test.skipIf(why).each([["a shell", false] as const, ["Perl", findTool("perl") ?? false] as const])(
  "by %s: what cannot be done is said, and what follows is not done",
  async (_, perl) => {
    const base = mkdtempSync(join(tmpdir(), "mounting-"));
    const inside = (await startHolder({ alone: true })) as Holder;
    try {
      const at = join(base, "nowhere");
      const problem = await carryOut(
        inside,
        [must({ do: "bind", from: base, at }), must({ do: "file", at: join(base, "after") })],
        perl,
      );
      expect(problem).toMatch(/mount point does not exist|No such file or directory/);
      expect(existsSync(join(base, "after"))).toBe(false);
    } finally {
      inside.close();
      rmSync(base, { recursive: true, force: true });
    }
  },
);
