// Kernels of Jupyter's in the sandbox: those that meet us at ports, which are those of a network of their own, and those that do at files.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Interpreter } from "../../src/interpreter/index.ts";
import { installKernels } from "../support/jupyter.ts";
import { lastingFolder } from "../support/lasting-folder.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { testPython } from "../support/session.ts";

const why = whyNoLayer();
const { env, remove } = installKernels();
afterAll(remove);

const kernels = [
  {
    name: "jupyter:bash",
    meets: "ports",
    code: "grep -c ' /dev tmpfs' /proc/mounts; echo made > by-kernel; x=41",
    next: "echo $((x + 1))",
  },
  {
    name: "jupyter:python3",
    meets: "files",
    code: "print(open('/proc/mounts').read().count(' /dev tmpfs')); open('by-kernel', 'w').write('made'); x = 41",
    next: "print(x + 1)",
  },
] as const;

describe.skipIf(why)(`kernels in the sandbox${why && ` (${why})`}`, () => {
  for (const sandbox of ["workspace", "strict"] as const)
    for (const layer of ["auto", "checkpoint"] as const)
      for (const { name, meets, code, next } of kernels)
        test(`${name}, which meets us at ${meets}, ${sandbox}, ${layer}`, async () => {
          const place = lastingFolder("kernels-");
          for (const folder of ["home", "work"]) mkdirSync(join(place, folder));
          const own = { ...env, HOME: join(place, "home"), INTERPRETER_HOME: join(place, "home/.oi") };
          try {
            await using interpreter = new Interpreter({
              cwd: join(place, "work"),
              sandbox,
              layer,
              conversation: true,
              autoRun: true,
              python: testPython,
              env: own,
            });
            const tell = async (block: string) =>
              (await interpreter.computer.run(name, block)).map(({ content }) => String(content)).join("\n");
            expect(await tell(code)).toMatch(/^1$/m);
            expect(await tell(next)).toContain("42");
            expect(interpreter.effects()!.effects.files.map((file) => file.name)).toEqual(["by-kernel"]);
          } finally {
            rmSync(place, { recursive: true, force: true });
          }
        });
});
