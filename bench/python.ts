// The Python session beside ipykernel and beside a bare pipe.

import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { python as language } from "../src/languages/python/index.ts";
import { localMachine } from "../src/machine/index.ts";
import { least, type Row, timed } from "./measure.ts";

const python = process.env.INTERPRETER_TEST_PYTHON ?? join(import.meta.dirname, "../.venv/bin/python");
const prints = "for i in range(200000): print(i)";
const plot =
  "import os\nclass Plot:\n    def _repr_png_(self): return data\ndata = b'\\x89PNG\\r\\n\\x1a\\n' + os.urandom(10_000_000)\nPlot()";
const gigabyte = "import os\npiece = b'x' * 65536\nfor _ in range(15259): os.write(1, piece)";

const start = () => language.start({ machine: localMachine, cwd: process.cwd(), env: process.env, python });

async function withSession<T>(
  use: (run: (code: string, on?: () => void) => Promise<void>, interrupt: () => void) => Promise<T>,
): Promise<T> {
  const session = await start();
  try {
    return await use(
      async (code, on) => {
        for await (const event of session.run(code, "<block 1>")) if (event.type === "output") on?.();
      },
      () => session.interrupt(),
    );
  } finally {
    await session.close();
  }
}

export async function measurePython(): Promise<Row[]> {
  const kernel = JSON.parse(
    execFileSync(python, [join(import.meta.dirname, "ipykernel-baseline.py")], { encoding: "utf8" }),
  );
  const ready = await least(8, async () => {
    const begun = performance.now();
    const session = await start();
    const took = performance.now() - begun;
    await session.close();
    return took;
  });
  const roundTrip = await withSession(async (run) => {
    for (let warm = 0; warm < 50; warm++) await run("1+1");
    const took = await timed(async () => {
      for (let time = 0; time < 500; time++) await run("1+1");
    });
    return took / 500;
  });
  const interrupted = await least(5, () =>
    withSession(async (run, interrupt) => {
      let begun = 0;
      await run("print('go', flush=True)\nwhile True: pass", () => {
        begun = performance.now();
        interrupt();
      });
      return performance.now() - begun;
    }),
  );
  const printing = await withSession((run) => least(3, () => timed(() => run(prints))));
  const plotting = await withSession((run) => least(3, () => timed(() => run(plot))));
  const streaming = await withSession((run) => timed(() => run(gigabyte)));
  const pipe = await timed(
    () =>
      new Promise((resolve) => {
        const child = spawn(python, ["-c", gigabyte], { stdio: ["ignore", "pipe", "ignore"] });
        child.stdout.on("data", () => {});
        child.on("close", resolve);
      }),
  );
  const beside = (value: number) => ({ what: "ipykernel", value });
  return [
    { what: "Python session ready", value: ready, unit: "ms", floor: beside(kernel.ready), budget: { value: 60 } },
    {
      what: "round trip of 1+1",
      value: roundTrip,
      unit: "ms",
      floor: beside(kernel.roundTrip),
      budget: { value: 0.5 },
    },
    {
      what: "interrupt of a busy loop",
      value: interrupted,
      unit: "ms",
      floor: beside(kernel.interrupt),
      budget: { value: 10 },
    },
    { what: "200 000 prints", value: printing, unit: "ms", floor: beside(kernel.prints), budget: { value: 200 } },
    { what: "a plot of 10 MB", value: plotting, unit: "ms", floor: beside(kernel.plot) },
    {
      what: "1 GB of stdout",
      value: 1000 / (streaming / 1000),
      unit: "MB/s",
      floor: { what: "bare pipe", value: 1000 / (pipe / 1000) },
      budget: { value: 100 },
    },
  ];
}
