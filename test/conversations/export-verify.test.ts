// What a clean export says when its results are not the same again, and when it was not run at all.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pictureDifference } from "../../src/conversations/verify/compare-pictures.ts";
import { textDifference } from "../../src/conversations/verify/compare-text.ts";
import type { Message } from "../../src/messages/index.ts";
import { encodePng } from "../../src/pictures/index.ts";
import { type CleanRequest, exportClean } from "../../src/terminal/clean-export.ts";
import { startInterpreter } from "../support/interpreter.ts";
import { run, say } from "../support/scripted-model.ts";
import { testPython } from "../support/session.ts";

async function holdAndExport(
  codes: readonly (readonly [language: string, code: string])[],
  {
    files = {},
    after,
    ...more
  }: Partial<CleanRequest> & { files?: Record<string, string>; after?: (folder: string) => void } = {},
) {
  const since = new Date();
  await using held = await startInterpreter([...codes.map(([language, code]) => run(language, code)), say("Done.")]);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(held.folder, name), text);
  await held.tell("do it");
  after?.(held.folder);
  const before = contents(held.folder);
  const out = mkdtempSync(join(tmpdir(), "verify-out-"));
  const { paths, report, outcome } = await exportClean({
    kind: "md",
    messages: held.interpreter.messages,
    cwd: held.folder,
    since,
    folder: out,
    options: { python: testPython },
    approve: async () => true,
    progress: () => {},
    signal: new AbortController().signal,
    ...more,
  });
  const text = readFileSync(paths[0]!, "utf8");
  rmSync(out, { recursive: true, force: true });
  return { text, report: report.join("\n"), outcome, before, after: contents(held.folder) };
}

/** The files of a folder, but for those of the program itself. */
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name), "utf8")]),
  );

describe("results that are not the same", () => {
  test("numbers that are drawn anew are named, in the report and in the first lines of the file", async () => {
    const { text, report, outcome } = await holdAndExport([
      ["python", "import random\nprint('drawn', random.random())"],
    ]);
    expect(outcome).toBe("different");
    expect(report).toMatch(
      /Re-run in a fresh session: 0 of 1 result is the same\.\nBlock 2 \(print\('drawn'.*\): “drawn 0\.\d+” where “drawn 0\.\d+” was\./,
    );
    expect(text.split("\n").slice(0, 8).join("\n")).toContain("0 of 1 result is the same.");
  });

  test("an input that has changed since gives other results, and a file that was changed by hand is noticed", async () => {
    const codes = [
      ["python", "text = open('in.txt').read()\nopen('out.txt', 'w').write(text.upper())\nprint(len(text))"],
    ] as const;
    const changed = await holdAndExport(codes, {
      files: { "in.txt": "abc" },
      after: (folder) => writeFileSync(join(folder, "in.txt"), "abcdef"),
    });
    expect(changed.report).toContain("0 of 2 results are the same.");
    expect(changed.report).toContain("out.txt: “ABCDEF” where “ABC” was.");
    const edited = await holdAndExport(codes, {
      files: { "in.txt": "abc" },
      after: (folder) => writeFileSync(join(folder, "out.txt"), "edited"),
    });
    expect(edited.report).toContain("1 of 2 results are the same.");
    expect(edited.outcome).toBe("different");
  });

  test("a block that fails this time: how, and what was not run after it", async () => {
    const { report, outcome } = await holdAndExport(
      [
        ["python", "value = open('gone.txt').read()"],
        ["python", "open('made.txt', 'w').write(value)\nprint(value)"],
      ],
      { files: { "gone.txt": "x" }, after: (folder) => rmSync(join(folder, "gone.txt")) },
    );
    expect(report).toMatch(/0 of 3 results are the same\.\nBlock 1 .* failed: FileNotFoundError/);
    expect(report).toContain("What comes after it was not run: 2 more results.");
    expect(outcome).toBe("different");
  });
});

describe("it is not run", () => {
  const codes = [["python", "print(1 + 1)"]] as const;

  test("when the person does not want it", async () => {
    const { report, outcome, text } = await holdAndExport(codes, { approve: async () => false });
    expect(outcome).toBe("not-run");
    expect(report).toContain("It was not re-run: you did not want it.");
    expect(text).toContain("It was not re-run");
  });

  test("when nobody is there", async () => {
    const { report, outcome } = await holdAndExport(codes, { approve: async () => undefined });
    expect(outcome).toBe("nobody");
    expect(report).toContain("nobody was there to approve that");
  });

  test("when it would write outside of the fresh folder", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
    const path = join(elsewhere, "kept.txt");
    const { report, outcome } = await holdAndExport([["python", `open(${JSON.stringify(path)}, 'w').write('mine')`]], {
      after: () => writeFileSync(path, "changed by hand"),
    });
    expect(report).toContain(`It was not re-run: it writes ${path}, which is outside of its folder.`);
    expect(outcome).toBe("not-run");
    expect(readFileSync(path, "utf8")).toBe("changed by hand");
    rmSync(elsewhere, { recursive: true });
  });

  test("any further when it is stopped; nothing is left of it", async () => {
    const stop = new AbortController();
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("interpreter-export-"));
    const exporting = holdAndExport([["python", "for step in range(3):\n    print('going', step)"]], {
      signal: stop.signal,
      progress: () => stop.abort(),
    });
    await expect(exporting).rejects.toThrow();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("interpreter-export-"))).toEqual(before);
  });
});

test("paths in the folder are written as seen from it, so that the export works elsewhere", async () => {
  const { text, report } = await holdAndExport([
    ["python", "import os\nwhere = os.getcwd()\nopen(os.path.join(where, 'a.txt'), 'w').write('a')"],
    ["shell", "cat a.txt > b.txt"],
    ["python", "print(open('b.txt').read())"],
  ]);
  expect(report).toContain("4 of 4 results are the same.");
  expect(text).toContain("b.txt");
});

test("the working folder itself is left as it is", async () => {
  const { before, after } = await holdAndExport([
    ["python", "open('log.txt', 'a').write('line\\n')\nprint(open('log.txt').read())"],
    ["shell", "echo more >> log.txt; cat log.txt"],
  ]);
  expect(before["log.txt"]).toBe("line\nmore\n");
  expect(after).toEqual(before);
});

describe("the same or not", () => {
  const then = {
    folder: "/home/me/office",
    from: new Date("2026-03-01T10:00:00Z"),
    to: new Date("2026-03-01T12:00:00Z"),
  };
  const here = { folder: "/tmp/x", from: new Date("2026-03-05T10:00:00Z"), to: new Date("2026-03-06T10:00:00Z") };
  test.each([
    ["rounding", "mean 0.30000000000000004", "mean 0.3"],
    ["addresses", "<Axes at 0x7f1234abcd>", "<Axes at 0x7fffffff00>"],
    ["the clock", "now: 2026-03-01 11:02:03.5", "now: 2026-03-05T11:00:00"],
    ["durations", "fitting took 1.34 s", "fitting took 2.9 s"],
    ["folders", "saved /home/me/office/a.csv", "saved /tmp/x/a.csv"],
    ["warnings", "<block 3>:2: UserWarning: w\n  warn()\n1", "/tmp/x/a.py:9: UserWarning: w\n  warn()\n1"],
    ["bars of progress", "100%|##| 3/3 [00:01<00:00, 2.5it/s]\ndone", "100%|##| 3/3 [00:01<00:00, 9.1it/s]\ndone"],
    ["spaces around numbers", "a    1.0\nb  10.25", "a  1.0000000001\nb 10.25"],
  ])("%s may differ", (_, one, other) => {
    expect(textDifference(one, other, then, here)).toBeUndefined();
  });
  test.each([
    ["whole numbers", "rows 10", "rows 11"],
    ["decimals", "mean 0.31", "mean 0.32"],
    ["words", "yes", "no"],
    ["dates that are data", "from 2024-01-05 10:00", "from 2024-01-06 10:00"],
    ["missing lines", "a\nb", "a"],
    ["further lines", "a", "a\nb"],
    ["the sign", "-1.5", "1.5"],
  ])("%s may not", (_, one, other) => {
    expect(textDifference(one, other, then, here)).toBeDefined();
  });

  const picture = (paint: (x: number, y: number) => number): Buffer => {
    const [width, height] = [60, 40];
    const rgba = new Uint8Array(width * height * 4).fill(255);
    for (let at = 0; at < width * height; at++)
      rgba.fill(paint(at % width, Math.floor(at / width)), at * 4, at * 4 + 3);
    return encodePng({ width, height, rgba });
  };
  test("pictures: smoothing may differ, a line that moved may not", async () => {
    const line = picture((x, y) => (x === y ? 0 : 255));
    expect(
      await pictureDifference(
        line,
        picture((x, y) => (x === y ? 10 : 250)),
      ),
    ).toBeUndefined();
    expect(
      await pictureDifference(
        line,
        picture((x, y) => (x === y + 1 ? 0 : 255)),
      ),
    ).toBe("it looks different");
  });
});

test("a conversation without a result says so", async () => {
  const messages: Message[] = [{ role: "user", type: "message", content: "hi" }];
  const request = {
    kind: "md",
    messages,
    cwd: tmpdir(),
    since: new Date(),
    folder: tmpdir(),
    options: {},
    progress: () => {},
  } as const;
  await expect(
    exportClean({ ...request, approve: async () => true, signal: new AbortController().signal }),
  ).rejects.toThrow(/No block of this conversation has a result to keep/);
});
