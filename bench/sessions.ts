// The shell and the JavaScript session beside a bare start of their interpreters.

import { spawnSync } from "node:child_process";
import type { Language } from "../src/languages/index.ts";
import { javascript } from "../src/languages/javascript/index.ts";
import { bash } from "../src/languages/shell/index.ts";
import { localMachine } from "../src/machine/index.ts";
import { least, type Row, timed } from "./measure.ts";

const languages: { language: Language; code: string; bare: [string, string[]] }[] = [
  { language: bash, code: "true", bare: ["bash", ["-c", "true"]] },
  { language: javascript, code: "1 + 1", bare: [process.execPath, ["-e", "1 + 1"]] },
];

export async function measureSessions(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { language, code, bare } of languages) {
    const start = () => language.start({ machine: localMachine, cwd: process.cwd(), env: process.env });
    const ready = await least(8, async () => {
      const begun = performance.now();
      const session = await start();
      const took = performance.now() - begun;
      await session.close();
      return took;
    });
    const session = await start();
    const run = async () => {
      for await (const _ of session.run(code, "<block 1>"));
    };
    for (let warm = 0; warm < 30; warm++) await run();
    const roundTrip = await least(100, () => timed(run));
    await session.close();
    const floor = {
      what: `bare ${bare[0].split("/").at(-1)}`,
      value: await least(10, () => timed(() => spawnSync(...bare))),
    };
    rows.push({ what: `${language.name} session ready`, value: ready, unit: "ms", floor });
    rows.push({ what: `${language.name} round trip`, value: roundTrip, unit: "ms", floor });
  }
  return rows;
}
