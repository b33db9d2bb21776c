// A block that is discarded in the write layer: its files and its variables are gone together, and the session goes on in the layer.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Language } from "../../src/languages/index.ts";
import { javascript } from "../../src/languages/javascript/index.ts";
import { python } from "../../src/languages/python/index.ts";
import { bash } from "../../src/languages/shell/index.ts";
import { loadProtect, localMachine, type Protection, protectedMachine } from "../../src/machine/index.ts";
import { startSession, type TestSession } from "../support/session.ts";

const facts = { id: "1", language: "python", code: "" };

async function withLayer(
  language: Language,
  work: (it: { session: TestSession; protection: Protection; folder: string }) => Promise<void>,
): Promise<string | undefined> {
  const base = mkdtempSync(join(tmpdir(), "hold-layer-test-"));
  const folder = join(base, "work");
  mkdirSync(folder);
  writeFileSync(join(folder, "data.txt"), "before\n");
  mkdirSync(join(folder, "old"));
  writeFileSync(join(folder, "old/file"), "1");
  const { protect } = await loadProtect();
  const request = {
    folders: [folder],
    data: join(base, "data"),
    wanted: "auto",
    plan: false,
    limit: 1e9,
    asks: true,
  } as const;
  const { protection } = await protect(request);
  try {
    if (protection.kind !== "layer") return `there is no layer here: ${protection.why}`;
    const machine = protectedMachine(localMachine, async () => protection);
    await using session = await startSession(language, [], process.env, { machine, cwd: folder });
    await work({ session, protection, folder });
    return undefined;
  } finally {
    await protection.close();
    rmSync(base, { recursive: true, force: true });
  }
}

const languages: { language: Language; first: string; block: string; read: string; move: string }[] = [
  {
    language: python,
    first: "x = 1; import os",
    block:
      "x = 2; open('data.txt', 'w').write('after'); open('new.txt', 'w').write('new'); left = open('open.txt', 'w'); left.write('x'); left.flush(); os.mkdir('d'); os.chdir('d')",
    read: "print(x, sorted(os.listdir('.')), open('data.txt').read().strip())",
    move: "os.rename('old', 'moved')",
  },
  {
    language: javascript,
    first: "import fs from 'node:fs'; let x = 1",
    block:
      "x = 2; fs.writeFileSync('data.txt', 'after'); fs.writeFileSync('new.txt', 'new'); fs.mkdirSync('d'); process.chdir('d')",
    read: "console.log(x, JSON.stringify(fs.readdirSync('.').sort()), fs.readFileSync('data.txt', 'utf8').trim())",
    move: "fs.renameSync('old', 'moved')",
  },
  {
    language: bash,
    first: "x=1",
    block: "x=2; echo after > data.txt; echo new > new.txt; mkdir d; cd d",
    read: "echo $x $(ls -m) $(cat data.txt)",
    move: "mv old moved",
  },
];

test.for(languages)("$language.name", async ({ language, first, block, read, move }, { skip }) => {
  const why = await withLayer(language, async ({ session, protection, folder }) => {
    const step = async (code: string) => {
      const hold = await session.session.hold!();
      expect(hold).toBeDefined();
      await protection.begin();
      const { error } = await session.run(code);
      expect(error?.traceback).toBeUndefined();
      return { hold: hold!, pending: await protection.pending() };
    };
    {
      const { hold, pending } = await step(first);
      expect(pending.effects).toMatchObject({ files: [], processes: [] });
      await hold.drop();
      await pending.keep(facts);
    }
    const before = (await session.run(read)).stdout;
    expect(before).toContain("before");
    for (let time = 0; time < 3; time++) {
      const { hold, pending } = await step(block);
      expect(pending.effects.files.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["data.txt", "new.txt", "d/"]),
      );
      expect(pending.effects.processes).toEqual([]);
      expect(await hold.bringBack()).toEqual([]);
      expect((await pending.discard()).problems).toEqual([]);
      expect((await session.run(read)).stdout).toBe(before);
      expect(readdirSync(folder).sort()).toEqual(["data.txt", "old"]);
    }
    // What comes after that is caught, and can be kept.
    const { hold, pending } = await step(move);
    await hold.drop();
    expect(pending.effects.processes).toEqual([]);
    expect((await pending.keep(facts)).problems).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(["data.txt", "moved"]);
    expect(readFileSync(join(folder, "moved/file"), "utf8")).toBe("1");
  });
  if (why) skip(why);
});
