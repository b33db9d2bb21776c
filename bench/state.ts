// Saving a session after a step, and bringing it back.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Language, Session } from "../src/languages/index.ts";
import { javascript } from "../src/languages/javascript/index.ts";
import { python } from "../src/languages/python/index.ts";
import { bash } from "../src/languages/shell/index.ts";
import { localMachine } from "../src/machine/index.ts";
import { least, type Row, timed } from "./measure.ts";

const room = { value: 20_000_000, total: 50_000_000 };

async function start(language: Language): Promise<Session> {
  return language.start({
    machine: localMachine,
    cwd: tmpdir(),
    env: process.env,
    python: join(import.meta.dirname, "../.venv/bin/python"),
  });
}

async function run(session: Session, code: string): Promise<void> {
  for await (const _ of session.run(code, "<block>"));
}

export async function measureState(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-state-"));
  const session = await start(python);
  await run(session, "for i in range(10): globals()[f'v{i}'] = list(range(i * 10))");
  await session.save!(folder, room);
  const save = await least(5, () => timed(() => session.save!(folder, room)));
  // What a block that comes at the same moment feels of it.
  const alone = await least(10, () => timed(() => run(session, "1")));
  const beside = await least(10, async () => {
    const saving = session.save!(folder, room);
    const took = await timed(() => run(session, "1"));
    await saving;
    return took;
  });
  await run(session, "for i in range(50): globals()[f'w{i}'] = [i] * 100\ndef f(): return v1");
  const state = await session.save!(folder, room);
  await session.close();
  const restore = await least(3, async () => {
    const next = await start(python);
    const took = await timed(() => next.restore!({ folder, state, later: [] }));
    await next.close();
    return took;
  });
  const others = [];
  for (const [language, code] of [
    [javascript, "const [a, b] = [1, { c: [2] }]"],
    [bash, "a=1; f() { echo; }"],
  ] as const) {
    const other = await start(language);
    await run(other, code);
    await other.save!(folder, room);
    others.push({
      what: `save a ${language.name} session`,
      value: await least(5, () => timed(() => other.save!(folder, room))),
      unit: "ms" as const,
    });
    await other.close();
  }
  rmSync(folder, { recursive: true, force: true });
  return [
    { what: "save 10 small Python values, beside the session", value: save, unit: "ms" },
    {
      what: "a block that comes while Python is saved",
      value: beside,
      unit: "ms",
      floor: { what: "alone", value: alone },
    },
    { what: "bring back 60 Python values and a function", value: restore, unit: "ms" },
    ...others,
  ];
}
