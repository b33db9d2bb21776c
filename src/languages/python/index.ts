// Python: the person's own interpreter, driven by `python-driver.py` inside it.

import { fileURLToPath } from "node:url";
import { noComputer } from "../bridge.ts";
import { type Language, SessionStartError } from "../language.ts";
import { startDriver } from "../start-driver.ts";
import { findPython } from "./find-python.ts";
import { withState } from "./python-state.ts";

const driver = fileURLToPath(new URL("./python-driver.py", import.meta.url));

export const python: Language = {
  name: "python",
  aliases: ["py", "python3", "ipython"],
  extension: "py",
  async available({ python: chosen, cwd, env }) {
    if (findPython(chosen, cwd, env)) return true;
    if (chosen) return `There is no Python at ${chosen}.`;
    return "No Python was found. Install Python 3.8 or newer, or name one with --python PATH.";
  },
  program: ({ python: chosen, cwd, env }) => findPython(chosen, cwd, env)?.path,
  async start({ machine, python: chosen, cwd, env, tables, onCall = noComputer }) {
    const found = findPython(chosen, cwd, env);
    if (!found) throw new SessionStartError(String(await this.available({ machine, python: chosen, cwd, env })));
    const session = await startDriver({
      language: "python",
      title: "Python",
      machine,
      command: found.path,
      args: tables ? [driver, "--tables"] : [driver],
      cwd,
      // Python must not buffer or decode behind the driver's back.
      env: { ...env, PYTHONIOENCODING: "utf-8", PYTHONUNBUFFERED: undefined },
      onCall,
    });
    return withState(session, found.path);
  },
};
