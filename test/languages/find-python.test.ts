import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPython } from "../../src/languages/python/find-python.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "find-python-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function program(path: string): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, "#!/bin/sh\n");
  chmodSync(full, 0o755);
  return full;
}

function file(path: string, content = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

test("the one that was chosen, as an interpreter, an environment or a name", () => {
  const own = program("own/bin/python3");
  const env = { PATH: join(root, "own/bin") };
  expect(findPython(own, root, env)?.path).toBe(own);
  expect(findPython("own", root, env)?.path).toBe(own);
  expect(findPython("python3", root, env)?.path).toBe(own);
  expect(findPython("nowhere", root, env)).toBeUndefined();
});

test("then the active environment, then .venv in the folder, then the PATH", () => {
  const path = program("usr/bin/python3");
  const env = { PATH: join(root, "usr/bin") };
  expect(findPython(undefined, root, env)).toEqual({ path, origin: "PATH" });
  const local = program("project/.venv/bin/python3");
  expect(findPython(undefined, join(root, "project"), env)?.path).toBe(path);
  file("project/.venv/pyvenv.cfg");
  expect(findPython(undefined, join(root, "project"), env)).toEqual({ path: local, origin: ".venv" });
  const conda = program("conda/bin/python");
  expect(
    findPython(undefined, join(root, "project"), {
      ...env,
      CONDA_PREFIX: join(root, "conda"),
      CONDA_DEFAULT_ENV: "data",
    }),
  ).toEqual({ path: conda, origin: "conda data" });
  const active = program("active/bin/python3");
  expect(
    findPython(undefined, join(root, "project"), {
      ...env,
      CONDA_PREFIX: join(root, "conda"),
      VIRTUAL_ENV: join(root, "active"),
    })?.path,
  ).toBe(active);
});

test("pyenv's stand-in is looked through, by the same rules pyenv has", () => {
  program("pyenv/shims/python3");
  const system = program("usr/bin/python3");
  const [old, current, chosen] = ["3.9.1", "3.11.7", "3.12.0"].map((version) =>
    program(`pyenv/versions/${version}/bin/python3`),
  );
  const env = { PATH: `${join(root, "pyenv/shims")}:${join(root, "usr/bin")}`, PYENV_ROOT: join(root, "pyenv") };
  file("pyenv/version", "3.11.7\n");
  expect(findPython(undefined, root, env)?.path).toBe(current);
  file("project/.python-version", "3.9.1\n");
  mkdirSync(join(root, "project/deep/down"), { recursive: true });
  expect(findPython(undefined, join(root, "project/deep/down"), env)?.path).toBe(old);
  expect(findPython(undefined, join(root, "project"), { ...env, PYENV_VERSION: "3.12.0" })?.path).toBe(chosen);
  file("pyenv/version", "system\n");
  expect(findPython(undefined, root, env)?.path).toBe(system);
});
