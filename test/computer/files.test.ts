import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { testComputer } from "../support/computer.ts";

interface Desk extends Disposable {
  folder: string;
  notes: string[];
  put(path: string, content: string | Buffer): void;
  get(path: string): string;
  /** Calls computer.files.<name> from the folder. */
  files(name: string, ...args: unknown[]): Promise<unknown>;
}

const rg = (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "rg")));
const withoutRipgrep = { ...process.env, PATH: "" };

function desk(env: NodeJS.ProcessEnv = process.env, signal = new AbortController().signal): Desk {
  const folder = mkdtempSync(join(tmpdir(), "files-test-"));
  const { onCall } = testComputer(env);
  const notes: string[] = [];
  return {
    folder,
    notes,
    put(path, content) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    },
    get: (path) => readFileSync(join(folder, path), "utf8"),
    async files(name, ...args) {
      const last = args.at(-1);
      const named = typeof last === "object" && last !== null ? (args.pop() as Record<string, unknown>) : {};
      const call = { module: "files", name, args, kwargs: named, language: "python", cwd: folder };
      return onCall(call, signal, (text) => notes.push(text));
    },
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function fault(promise: Promise<unknown>): Promise<{ name: string; message: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("It did not fail.");
}

describe("read", () => {
  test("gives the whole file, or a range of lines", async () => {
    using it = desk();
    it.put("a.txt", "one\ntwo\nthree\nfour");
    expect(await it.files("read", "a.txt")).toBe("one\ntwo\nthree\nfour");
    expect(await it.files("read", "a.txt", 2, 3)).toBe("two\nthree\n");
    expect(await it.files("read", "a.txt", { start: 4 })).toBe("four");
    expect(await it.files("read", "a.txt", 9)).toBe("");
    expect(await it.files("read", join(it.folder, "a.txt"), 1, 1)).toBe("one\n");
    expect((await fault(it.files("read", "a.txt", 0))).name).toBe("ValueError");
  });

  test("cuts what is too long and says where to go on", async () => {
    using it = desk();
    it.put("long.txt", "0123456789abcde\n".repeat(200_000));
    const first = (await it.files("read", "long.txt")) as string;
    expect(first).toHaveLength(1_000_000);
    const next = Number(/read\(path, (\d+)\) goes on/.exec(it.notes[0]!)![1]);
    expect(next).toBe(62_501);
    expect(await it.files("read", "long.txt", 199_999)).toBe("0123456789abcde\n".repeat(2));
    expect(it.notes).toHaveLength(1);
  });

  test("tells text from binary data, folders and pipes", async () => {
    using it = desk();
    it.put("picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]));
    it.put("folder/x", "");
    it.put("latin.txt", Buffer.from([0x66, 0xfc, 0x72, 0x0a]));
    it.put("wide.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("eins\nzwei\n", "utf16le")]));
    expect((await fault(it.files("read", "picture.png"))).message).toContain("binary data");
    expect(await fault(it.files("read", "folder"))).toMatchObject({ name: "IsADirectoryError" });
    expect(await it.files("read", "latin.txt")).toBe("f\ufffdr\n");
    expect(it.notes[0]).toContain("not UTF-8");
    expect(await it.files("read", "wide.txt", 2, 2)).toBe("zwei\n");
    if (process.platform === "win32") return;
    execFileSync("mkfifo", [join(it.folder, "pipe")]);
    expect((await fault(it.files("read", "pipe"))).message).toContain("not a regular file");
  });

  test("a letter that is cut by the piece it was read in stays whole", async () => {
    using it = desk();
    const text = `x${"é".repeat(100_000)}\n`;
    it.put("a.txt", text);
    expect(await it.files("read", "a.txt")).toBe(text);
    expect(it.notes).toEqual([]);
  });
});

describe("edit", () => {
  test("replaces the text and gives back the difference", async () => {
    using it = desk();
    it.put("a.py", "import os\n\ndef f():\n    return 1\n\nprint(f())\n");
    chmodSync(join(it.folder, "a.py"), 0o754);
    expect(await it.files("edit", "a.py", "    return 1\n", "    x = $& + 1\n    return x\n")).toBe(
      "--- a.py\n+++ a.py\n@@ -1,6 +1,7 @@\n import os\n \n def f():\n-    return 1\n+    x = $& + 1\n+    return x\n \n print(f())\n",
    );
    expect(it.get("a.py")).toBe("import os\n\ndef f():\n    x = $& + 1\n    return x\n\nprint(f())\n");
    if (process.platform !== "win32") expect(statSync(join(it.folder, "a.py")).mode & 0o777).toBe(0o754);
    expect(readdirSync(it.folder)).toEqual(["a.py"]);
  });

  test("says how often and where, when the text is not unique", async () => {
    using it = desk();
    it.put("a.txt", "same\nother\nsame\nsame\n");
    const { name, message } = await fault(it.files("edit", "a.txt", "same", "new"));
    expect(name).toBe("ValueError");
    expect(message).toBe(
      "The text to replace is in a.txt 3 times (line 1, 3, 4), not once. Nothing was changed. Give more of the lines around it so that it is there only once, or pass count=3 to replace every one.",
    );
    expect(it.get("a.txt")).toBe("same\nother\nsame\nsame\n");
    await it.files("edit", "a.txt", "same", "new", { count: 3 });
    expect(it.get("a.txt")).toBe("new\nother\nnew\nnew\n");
    expect((await fault(it.files("edit", "a.txt", "other", "x", { count: 2 }))).message).toContain("Pass count=1.");
  });

  test("shows the nearest lines, when the text is absent", async () => {
    using it = desk();
    it.put("a.py", "def area(width, height):\n    return width * height\n\ndef other():\n\tpass\n");
    const near = await fault(it.files("edit", "a.py", "def area(w, height):\n    return w * height", "x"));
    expect(near.message).toContain(
      "The nearest lines are:\n     1  def area(width, height):\n     2      return width * height\nCopy the text exactly",
    );
    const space = await fault(it.files("edit", "a.py", "def other():\n    pass", "x"));
    expect(space.message).toContain(
      "The same words are there with other white space:\n     4  def other():\n     5  \tpass",
    );
    const far = await fault(it.files("edit", "a.py", "§§§§ ¶¶¶¶", "x"));
    expect(far.message).toContain("Nothing there is like it");
  });

  test("keeps Windows line ends, byte order marks and links", async () => {
    using it = desk();
    it.put("real.txt", "\ufeffone\r\ntwo\r\nthree\r\n");
    symlinkSync("real.txt", join(it.folder, "link.txt"));
    await it.files("edit", "link.txt", "one\ntwo\n", "1\n2\n");
    expect(it.get("real.txt")).toBe("\ufeff1\r\n2\r\nthree\r\n");
    expect(readlinkSync(join(it.folder, "link.txt"))).toBe("real.txt");
  });

  test("does not touch what is not text, nor change nothing", async () => {
    using it = desk();
    it.put("latin.txt", Buffer.from([0x66, 0xfc, 0x72]));
    expect((await fault(it.files("edit", "latin.txt", "f", "g"))).message).toContain("not UTF-8");
    expect((await fault(it.files("edit", "missing", "a", "b"))).name).toBe("FileNotFoundError");
    expect((await fault(it.files("edit", "latin.txt", "f", "f"))).message).toContain("the same");
    expect((await fault(it.files("edit", "latin.txt", "", "f"))).message).toContain("empty");
  });
});

describe("write and list", () => {
  test("a file is made with its folders, and changed with a difference", async () => {
    using it = desk();
    expect(await it.files("write", "new/deep/a.txt", "one\ntwo\n")).toBe("Made new/deep/a.txt: 2 lines.");
    expect(await it.files("write", "new/deep/a.txt", "one\n2\n")).toContain("@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    expect(await it.files("write", "new/deep/a.txt", "one\n2\n")).toContain("like that already");
    expect(await it.files("list", "new/deep")).toEqual([
      { name: "a.txt", type: "file", size: 6, modified: expect.stringMatching(/^\d{4}-/) },
    ]);
    expect((await fault(it.files("write", "new", "x"))).name).toBe("IsADirectoryError");
    expect((await fault(it.files("list", "new/deep/a.txt"))).name).toBe("NotADirectoryError");
  });
});

describe("differences", () => {
  test("are what the patch program applies", async () => {
    using it = desk();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 30; round++) {
      const before = Array.from({ length: random(40) }, () => `line ${random(8)}`);
      const after = before.flatMap((line) =>
        random(6) === 0 ? [] : random(6) === 0 ? [line, `new ${random(8)}`] : [line],
      );
      const [old, young] = [before, after].map(
        (lines) => lines.join("\n") + (random(4) === 0 || lines.length === 0 ? "" : "\n"),
      );
      it.put("a.txt", old!);
      const diff = (await it.files("write", "a.txt", young!)) as string;
      if (!diff.startsWith("---")) continue;
      it.put("patched.txt", old!);
      it.put("diff", diff);
      execFileSync("patch", ["-s", "-p0", "--posix", "patched.txt", "diff"], { cwd: it.folder });
      expect(existsSync(join(it.folder, "patched.txt")) ? it.get("patched.txt") : "").toBe(young);
    }
  });
});

describe.each([
  ["with ripgrep", process.env],
  ["without ripgrep", withoutRipgrep],
] as const)("search and find %s", (title, env) => {
  const it = test.skipIf(title === "with ripgrep" && !rg);

  function project(): Desk {
    const it = desk(env);
    it.put(".gitignore", "*.log\n/build/\n!keep.log\n");
    it.put("src/app.ts", "export const answer = 42;\nconst Other = 1;\n");
    it.put("src/deep/test_a.py", "answer = 42\nprint(answer)\n");
    it.put("readme.md", "The answer.\n");
    it.put("noise.log", "answer\n");
    it.put("keep.log", "answer\n");
    it.put("build/out.js", "answer\n");
    it.put("node_modules/x/index.js", "answer\n");
    it.put(".git/config", "answer\n");
    it.put("data.bin", Buffer.from("answer\0answer\n"));
    return it;
  }
  const at = (hits: unknown) =>
    (hits as { path: string; line: number }[]).map(({ path, line }) => `${path}:${line}`).sort();

  it("lines by what they say, without what is ignored", async () => {
    using it = project();
    expect(at(await it.files("search", "answer"))).toEqual([
      "keep.log:1",
      "readme.md:1",
      "src/app.ts:1",
      "src/deep/test_a.py:1",
      "src/deep/test_a.py:2",
    ]);
    expect(await it.files("search", "ans\\w+ = (\\d+);", "src")).toEqual([
      { path: "src/app.ts", line: 1, text: "export const answer = 42;" },
    ]);
  });

  it("within a pattern of files, a folder, a file", async () => {
    using it = project();
    expect(at(await it.files("search", "answer", { glob: "*.py" }))).toEqual([
      "src/deep/test_a.py:1",
      "src/deep/test_a.py:2",
    ]);
    expect(at(await it.files("search", "answer", { glob: "*.{ts,log}" }))).toEqual(["keep.log:1", "src/app.ts:1"]);
    expect(at(await it.files("search", "answer", { glob: "src/**/*.py" }))).toHaveLength(2);
    expect(at(await it.files("search", "answer", "build/out.js"))).toEqual(["build/out.js:1"]);
    expect(at(await it.files("search", "answer", "node_modules"))).toEqual(["node_modules/x/index.js:1"]);
  });

  it("as plain text and without regard to case", async () => {
    using it = project();
    expect(at(await it.files("search", "print(answer)", { literal: true }))).toEqual(["src/deep/test_a.py:2"]);
    expect(await it.files("search", "other")).toEqual([]);
    expect(at(await it.files("search", "other", { case: false }))).toEqual(["src/app.ts:2"]);
  });

  it("no more than asked for, and says so", async () => {
    using it = project();
    expect(await it.files("search", "answer", { limit: 2 })).toHaveLength(2);
    expect(it.notes).toEqual([expect.stringContaining("only the first 2 matches")]);
  });

  it("explains a pattern that is none and a folder that is not there", async () => {
    using it = project();
    expect((await fault(it.files("search", "(unclosed"))).name).toBe("ValueError");
    expect((await fault(it.files("search", "x", "missing"))).name).toBe("FileNotFoundError");
  });

  it("files by name", async () => {
    using it = project();
    expect(await it.files("find", "*.py")).toEqual(["src/deep/test_a.py"]);
    expect(await it.files("find", "TEST")).toEqual(["src/deep/test_a.py"]);
    expect(await it.files("find", "src/**/*.{ts,py}")).toEqual(["src/app.ts", "src/deep/test_a.py"]);
    expect(await it.files("find", "*.ts", "src")).toEqual(["src/app.ts"]);
    expect(await it.files("find", "index.js")).toEqual([]);
    expect(await it.files("find", "*", { limit: 1 })).toHaveLength(1);
    expect(it.notes).toEqual([expect.stringContaining("only the first 1 files")]);
  });
});

test("a pattern that would take for ever can be stopped", async () => {
  const stop = new AbortController();
  using it = desk(withoutRipgrep, stop.signal);
  it.put("a.txt", `${"a".repeat(200)}!\n`);
  const searching = it.files("search", "^(a+)+$");
  setTimeout(() => stop.abort(), 300);
  expect((await fault(searching)).name).toBe("AbortError");
});

test("a pattern for names never takes long, whatever it is", async () => {
  using it = desk(withoutRipgrep);
  it.put("a".repeat(200), "");
  expect(await it.files("find", `${"*a".repeat(50)}*b`)).toEqual([]);
});
